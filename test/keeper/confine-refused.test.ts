// Where a child cannot be confined it does not run: kernels that lack something, users that may not, launchers that do not know.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installBinary, Launcher, readRunDirectory } from "../../src/keeper/index.ts";
import { findConfinementLack, type Confinement } from "../../src/keeper/confinement.ts";
import { answerFrames, FrameReader } from "../../src/keeper/frames.ts";
import { frameType } from "../../src/keeper/numbers.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { completeRequest, openKeeperHome } from "../support/keeper-home.ts";
import { newTestHome } from "../support/test-home.ts";

const { ENOSYS, EOPNOTSUPP, EPERM, ENOSPC } = constants.errno;
const isArm = process.arch === "arm64";
// System calls by number, x64 and arm64.
const calls = {
  landlock: 444,
  unshare: isArm ? 97 : 272,
  mountAttributes: 442,
  prctl: isArm ? 167 : 157,
} as const;

const lacks = [
  {
    what: "a kernel without Landlock",
    call: calls.landlock,
    errno: ENOSYS,
    stage: "landlock",
    words: /no Landlock.*6\.12/,
  },
  {
    what: "Landlock off at boot",
    call: calls.landlock,
    errno: EOPNOTSUPP,
    stage: "landlock",
    words: /switched off/,
  },
  {
    what: "no user namespaces",
    call: calls.unshare,
    errno: EPERM,
    stage: "namespace",
    words: /user namespaces are forbidden/,
  },
  {
    what: "no more user namespaces",
    call: calls.unshare,
    errno: ENOSPC,
    stage: "namespace",
    words: /max_user_namespaces/,
  },
  {
    what: "no mount attributes",
    call: calls.mountAttributes,
    errno: EPERM,
    stage: "mount",
    words: /mounting is forbidden/,
  },
] as const;

const confinement: Confinement = { write: ["/dev/null"], hide: [], show: [] };

test.for(lacks)("$what: the start fails and says so", async ({ call, errno, stage, words }) => {
  const home = newTestHome();
  const binary = await installBinary(home);
  const without = [compileFixture("without_call"), String(call), String(errno)];
  execFileSync(without[0] ?? "", [...without.slice(1), binary, "launcher", home]);
  const keeper = await openKeeperHome(home, binary);
  const marker = join(newTestHome(), "ran");
  const request = completeRequest({ argv: ["/usr/bin/touch", marker] });
  expect(await keeper.launcher.start({ ...request, confinement })).toEqual({
    kind: "failed",
    id: request.id,
    stage,
    errno,
  });
  expect(existsSync(marker)).toBe(false);
  expect((await readRunDirectory(keeper.directory(request.id))).exit?.exit).toEqual({
    kind: "spawn_failed",
    stage,
    errno,
  });
  // Without confinement the same launcher starts it.
  await (
    await keeper.start({ argv: ["/usr/bin/touch", marker] })
  ).ended;
  expect(existsSync(marker)).toBe(true);

  const asked = spawnSync(without[0] ?? "", [...without.slice(1), binary, "confine"], { encoding: "utf8" });
  expect({ status: asked.status, stdout: asked.stdout }).toEqual({
    status: 1,
    stdout: `no ${stage} ${errno}\n`,
  });
  const program = join(newTestHome(), "keeper");
  execFileSync("sh", [
    "-c",
    `printf '#!/bin/sh\nexec ${without.join(" ")} ${binary} "$@"\n' > ${program}; chmod +x ${program}`,
  ]);
  expect(await findConfinementLack(program)).toMatch(words);
});

/** A launcher of contract 1.0, which would pass over lines it does not know. */
async function olderLauncher(home: string): Promise<{ readonly types: number[] }> {
  const types: number[] = [];
  mkdirSync(join(home, "runs"), { mode: 0o700 });
  const server: Server = createServer((socket) => {
    const reader = new FrameReader();
    socket.on("error", () => undefined); // the other side may close as it likes
    socket.on("data", (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) {
        types.push(frame.type);
        if (frame.type === frameType.hello)
          socket.write(answerFrames.hello.encode({ major: 1, minor: 0, more: Buffer.alloc(0) }));
        else
          socket.write(answerFrames.started.encode({ keeperPid: 5, pid: 6, childStart: 7 }, frame.request));
      }
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(join(home, "launcher.sock"), resolve);
  await promise;
  onTestFinished(() => void server.close());
  return { types };
}

test("a launcher that does not know confinement is not asked for it", async () => {
  const home = newTestHome();
  const { types } = await olderLauncher(home);
  const launcher = await Launcher.open({ home, binary: await installBinary(home), environment: {} });
  onTestFinished(() => launcher.close());
  const request = completeRequest({ argv: ["/bin/true"] });
  await expect(launcher.start({ ...request, confinement })).rejects.toMatchObject({
    code: "CONFINEMENT_UNAVAILABLE",
    details: { lack: "the launcher of this home is from an older release" },
    hint: expect.stringContaining("launcher.lock") as string,
  });
  expect(types).toEqual([frameType.hello]);
  expect(await launcher.start(request)).toMatchObject({ kind: "started" });
});

test("paths that could mean another place are refused before anything is sent", async () => {
  const keeper = await openKeeperHome();
  for (const path of ["relative", "/", "/a/../b", "/a/", "//a", "/a\0b"]) {
    const starting = keeper.launcher.start(
      completeRequest({ argv: ["/bin/true"], confinement: { write: [], hide: [path], show: [] } }),
    );
    await expect(starting, path).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  }
  const write = Array.from({ length: 257 }, (_, index) => `/a${index}`);
  const many = keeper.launcher.start(
    completeRequest({ argv: ["/bin/true"], confinement: { write, hide: [], show: [] } }),
  );
  await expect(many).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});
