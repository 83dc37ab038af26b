// Is the home where a home can be? The store's write-ahead log, the locks and the sockets in it need a local file system, and the
// keeper's program is run from it.
import { join } from "node:path";
import type { Check } from "./check.ts";
import { mountOf, type Mount } from "./mounts.ts";

// Of these some other machine, or some other program, has the files. FUSE names the program behind the dot.
const networkTypes = new Set([
  "nfs",
  "nfs4",
  "cifs",
  "smb3",
  "smbfs",
  "9p",
  "afs",
  "ceph",
  "coda",
  "ncpfs",
  "lustre",
  "gpfs",
  "beegfs",
  "orangefs",
  "gfs2",
  "ocfs2",
  "davfs",
  "acfs",
  "fuse.sshfs",
  "fuse.rclone",
  "fuse.s3fs",
  "fuse.gcsfuse",
  "fuse.goofys",
  "fuse.davfs2",
  "fuse.glusterfs",
  "fuse.ceph-fuse",
  "fuse.curlftpfs",
  "fuse.smbnetfs",
  "fuse.juicefs",
]);

export function isNetworkFileSystem(type: string): boolean {
  return networkTypes.has(type);
}

export function checkFileSystem(home: string): Check[] {
  const mount = mountOf(home);
  const ofPrograms = mountOf(join(home, "bin"));
  if (mount === undefined || ofPrograms === undefined) {
    return [
      { name: "file-system", result: "ok", message: `What ${home} is on cannot be seen on this system.` },
    ];
  }
  return [placeCheck(home, mount), programCheck(home, ofPrograms)];
}

function placeCheck(home: string, { type, place }: Mount): Check {
  const name = "file-system";
  if (!isNetworkFileSystem(type))
    return { name, result: "ok", message: `${home} is on ${type}, mounted at ${place}.` };
  return {
    name,
    result: "warning",
    message: `${home} is on ${type}, mounted at ${place}: locks, sockets and the database are not safe over a network.`,
    hint: "Move it to a local disk and name it by HOLDFAST_HOME.",
  };
}

function programCheck(home: string, { place, options }: Mount): Check {
  const name = "executables";
  if (!options.includes("noexec")) return { name, result: "ok", message: `Programs may run from ${home}.` };
  return {
    name,
    result: "problem",
    message: `${place} is mounted noexec: the keeper in ${join(home, "bin")} cannot run, so nothing can be started.`,
    hint: `Mount ${place} without noexec, or set HOLDFAST_HOME to a directory where programs may run.`,
  };
}
