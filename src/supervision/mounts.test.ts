import { expect, test } from "vitest";
import { isNetworkFileSystem } from "./file-system-check.ts";
import { mountOf, parseMountInfo } from "./mounts.ts";

// Lines as kernels write them: with and without the fields before the hyphen, with a blank and a backslash in the place.
const sample = `27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
36 27 0:44 / /mnt/nas rw,nosuid,nodev,noexec,relatime shared:20 master:2 - nfs4 nas:/export rw,vers=4.2,hard
37 27 0:45 / /mnt/with\\040blank\\134 rw,noexec - fuse.sshfs person@host:/data rw,user_id=1000
38 27 0:46 / /mnt/share rw - cifs //server/share rw,vers=3.1.1
39 27 0:47 / /mnt/c rw,noatime - 9p drvfs rw,dirsync,aname=drvfs;path=C:\\134
40 27 0:48 /sub /var/lib/x rw,relatime unbindable - overlay overlay rw,lowerdir=/a:/b
a line nobody understands
`;

test("each mount with its place, kind and options", () => {
  const mounts = parseMountInfo(sample);
  expect(mounts.map(({ id, type }) => `${id} ${type}`)).toEqual([
    "27 ext4",
    "36 nfs4",
    "37 fuse.sshfs",
    "38 cifs",
    "39 9p",
    "40 overlay",
  ]);
  expect(mounts[1]).toEqual({
    id: 36,
    place: "/mnt/nas",
    type: "nfs4",
    options: ["rw", "nosuid", "nodev", "noexec", "relatime"],
  });
  expect(mounts[2]?.place).toBe("/mnt/with blank\\");
  expect(mounts.filter(({ type }) => isNetworkFileSystem(type)).map(({ id }) => id)).toEqual([
    36, 37, 38, 39,
  ]);
});

test("local kinds are not taken for network ones", () => {
  for (const type of [
    "ext4",
    "xfs",
    "btrfs",
    "zfs",
    "tmpfs",
    "overlay",
    "apfs",
    "fuseblk",
    "fuse.gocryptfs",
    "f2fs",
  ]) {
    expect(isNetworkFileSystem(type), type).toBe(false);
  }
});

test("of a path that does not exist it is that of its first ancestor", () => {
  const proc = mountOf("/proc/self");
  expect(proc).toMatchObject({ type: "proc", place: "/proc" });
  expect(mountOf("/proc/no/such/thing")).toEqual(proc);
});
