// Bad frames cost the client that sent them its connection, and nobody else anything.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { openRawSocket } from "../support/raw-socket.ts";
import { answerFrames, FrameReader, requestFrames, type Frame } from "../../src/keeper/frames.ts";
import { frameType } from "../../src/keeper/numbers.ts";
import { openKeeperHome, type KeeperHome } from "../support/keeper-home.ts";

const hello = requestFrames.hello.encode({ major: 1, minor: 0 });

function frame(type: number, request: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(9);
  header.writeUInt32LE(payload.length + 5, 0);
  header.writeUInt8(type, 4);
  header.writeUInt32LE(request, 5);
  return Buffer.concat([header, payload]);
}

function length(value: number, rest: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(value);
  return Buffer.concat([header, rest]);
}

/** Sends bytes and waits until the other side closes; the frames that came before that. */
async function sendUntilClosed(socket: Socket, bytes: readonly Buffer[]): Promise<Frame[]> {
  const reader = new FrameReader();
  const frames: Frame[] = [];
  socket.on("error", () => undefined); // the reset that unread bytes cause is the close that is waited for
  socket.on("data", (chunk: Buffer) => frames.push(...reader.push(chunk)));
  const closed = once(socket, "close", { signal: AbortSignal.timeout(20_000) });
  for (const each of bytes) socket.write(each);
  await closed;
  return frames;
}

const deadly: Record<string, readonly Buffer[]> = {
  "a length of 0": [hello, length(0)],
  "a length below the least": [hello, length(4, Buffer.alloc(4))],
  "a length above the most": [hello, length(131_073)],
  "a length of 4 GiB": [hello, length(0xffff_ffff, Buffer.alloc(1000))],
  "a request before HELLO": [frame(frameType.askState, 1)],
  "another major version": [requestFrames.hello.encode({ major: 2, minor: 0 })],
  "a HELLO without content": [frame(frameType.hello, 0)],
  "text of another protocol": [Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")],
  "random bytes": [hello, Buffer.concat([length(0x7fff_ffff), randomBytes(4096)])],
};

/** A run whose output somebody follows while others misbehave. Resolves with what the follower got. */
async function followedRun(keeper: KeeperHome) {
  const run = await keeper.shell("read go; seq 1 200000; read end", { stdin: "open" });
  const kept = keeper.kept(run.id);
  const following = (async () => {
    let text = "";
    for await (const event of kept.output({ follow: true }))
      if (event.kind === "data") text += event.bytes.toString();
    return text;
  })();
  await kept.write("\n");
  const finish = async (): Promise<void> => {
    await kept.write("\n");
    const expected = Array.from({ length: 200_000 }, (_, i) => `${i + 1}\n`).join("");
    expect((await following) === expected).toBe(true);
    expect((await run.ended).exit).toEqual({ kind: "exited", code: 0 });
    kept.close();
  };
  return { run, finish };
}

test("malformed, truncated and huge frames cost only their sender the connection to a keeper", async () => {
  const keeper = await openKeeperHome();
  const { run, finish } = await followedRun(keeper);
  for (const [name, bytes] of Object.entries(deadly)) {
    const frames = await sendUntilClosed(await openRawSocket(run.directory, "sock"), bytes);
    expect(frames[0]?.type, name).toBe(frameType.hello);
  }
  // Cut off in the middle by the client itself, once with a header and once with half a frame.
  for (const part of [length(100), frame(frameType.write, 1, Buffer.alloc(1000)).subarray(0, 500)]) {
    const socket = await openRawSocket(run.directory, "sock");
    socket.end(Buffer.concat([hello, part]));
    socket.resume();
    await once(socket, "close", { signal: AbortSignal.timeout(20_000) });
  }
  await finish();
});

test("payloads that are too short are answered, and the connection goes on", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  const socket = await openRawSocket(run.directory, "sock");
  const types = [frameType.output, frameType.write, frameType.resize, frameType.signal, frameType.stop];
  const unknown = 0x1f;
  socket.write(hello);
  for (const type of [...types, frameType.outside, unknown]) socket.write(frame(type, type));
  socket.write(frame(unknown, 0)); // a pushed type of a newer version: no answer
  socket.write(frame(frameType.ping, 99));
  const reader = new FrameReader();
  const answers: Frame[] = [];
  for await (const chunk of socket) {
    answers.push(...reader.push(chunk as Buffer).filter((each) => each.request !== 0));
    if (answers.some((each) => each.request === 99)) break;
  }
  const errors = answers.filter((each) => each.type === frameType.error);
  expect(errors.map((each) => each.request).toSorted((a, b) => a - b)).toEqual([
    ...types,
    frameType.outside,
    unknown,
  ]);
  const codes = errors.map((each) => [each.request, answerFrames.error.decode(each.payload).code]);
  expect(codes).toContainEqual([unknown, 2]);
  expect(codes).toContainEqual([frameType.write, 1]);
  expect(answers.at(-1)).toMatchObject({ type: frameType.ok, request: 99 });
  await expect(keeper.kept(run.id).state()).resolves.toMatchObject({ state: "running" });
});

test("bad frames to the launcher cost only their sender", async () => {
  const keeper = await openKeeperHome();
  const bad = Object.entries(deadly).filter(([name]) => name !== "a request before HELLO");
  // A launcher takes larger frames than a keeper, for START alone.
  bad.push(["a frame above the START limit", [hello, length(8_388_609)]]);
  bad.push(["a START without content", [hello, frame(frameType.start, 1), length(1)]]);
  const pending = keeper.launcher.start({ id: "beside", argv: ["/bin/sleep", "0.3"], env: {}, cwd: "/" });
  for (const [name, bytes] of bad) {
    if (name === "a length above the most") continue;
    const frames = await sendUntilClosed(await openRawSocket(keeper.home, "launcher.sock"), bytes);
    expect(frames[0]?.type, name).toBe(frameType.hello);
  }
  const outcome = await pending;
  if (outcome.kind !== "started") throw new Error("not started");
  expect((await outcome.ended).exit).toEqual({ kind: "exited", code: 0 });
  await keeper.launcher.ping();
});

test("a frame that is not complete after 10 s costs its sender the connection, a fast client nothing", async () => {
  const keeper = await openKeeperHome();
  const { run, finish } = await followedRun(keeper);
  const slow = await openRawSocket(run.directory, "sock");
  const idle = await openRawSocket(run.directory, "sock");
  idle.write(hello);
  idle.resume();
  slow.resume();
  const before = performance.now();
  slow.write(Buffer.concat([hello, frame(frameType.ping, 7).subarray(0, 6)]));
  await once(slow, "close", { signal: AbortSignal.timeout(30_000) });
  expect(performance.now() - before).toBeGreaterThan(9_500);
  // One that has sent whole frames and then nothing is no slow one, and the follower has missed nothing.
  expect(idle.destroyed).toBe(false);
  await finish();
  idle.destroy();
});
