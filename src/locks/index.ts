// Scoped locks: one process per identity, per user and machine, whatever home or daemon there is.
export { acquireLock, type AcquireOptions } from "./acquire-lock.ts";
export { listLocks, type ListOptions } from "./list-locks.ts";
export { lockDirectory } from "./lock-directory.ts";
export { namedOwner, ownerFrom, ownerOf, ownerRefused } from "./owner.ts";
export { releaseAllLocks, releaseLock, type ReleaseAllOptions, type ReleaseOptions } from "./release-lock.ts";
