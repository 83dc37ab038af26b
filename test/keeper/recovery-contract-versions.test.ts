// Peers of another version: a newer minor one is understood as far as it goes, another major one is refused, in both directions.
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import {
  connectUnixSocket,
  installBinary,
  KeeperConnection,
  Launcher,
  openAttachCommand,
} from "../../src/keeper/index.ts";
import {
  answerFrames,
  errorOfFrame,
  FrameReader,
  requestFrames,
  writeHeader,
  type Frame,
} from "../../src/keeper/frames.ts";
import { frameType } from "../../src/keeper/numbers.ts";
import { openKeeperHome } from "../support/keeper-home.ts";
import { launcherPidOf } from "../support/process-facts.ts";
import { openRawSocket } from "../support/raw-socket.ts";
import { newTestHome } from "../support/test-home.ts";

const futureType = 0x7e;
const trailing = Buffer.from("what a later version says more");

function frameOf(type: number, request: number, payload: Buffer): Buffer {
  const encoded = Buffer.concat([Buffer.alloc(9), payload]);
  writeHeader(encoded, type, request);
  return encoded;
}

/** The same frame with more bytes at its end. */
function longer(encoded: Buffer): Buffer {
  return frameOf(
    encoded.readUInt8(4),
    encoded.readUInt32LE(5),
    Buffer.concat([encoded.subarray(9), trailing]),
  );
}

/** A peer of a version that does not exist yet: nothing of this checkout can be it. */
async function futurePeer(
  directory: string,
  name: string,
  answer: (socket: Socket, frame: Frame) => void,
): Promise<void> {
  const server: Server = createServer((socket) => {
    const reader = new FrameReader();
    socket.on("error", () => undefined); // the other side may close as it likes
    socket.on("data", (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) answer(socket, frame);
    });
  });
  server.listen(join(directory, name));
  await once(server, "listening");
  onTestFinished(() => void server.close());
}

function keeperHello(major: number, minor: number): Buffer {
  return answerFrames.keeperHello.encode({ major, minor, id: Buffer.from("future"), keeperPid: 77 });
}

const runningState = Buffer.from(
  "state running\npid 4711\nstart 5\nstdin open\nfuture_key 1\noutput_bytes 12\n",
);

test("a keeper of minor version 7 is understood, with unknown frames, keys and trailing bytes", async () => {
  const directory = newTestHome();
  await futurePeer(directory, "sock", (socket, frame) => {
    if (frame.type === frameType.hello) {
      socket.write(longer(keeperHello(1, 7)));
      socket.write(frameOf(futureType, 0, trailing));
      socket.write(answerFrames.state.encode({ text: runningState }));
    } else if (frame.type === frameType.signal) {
      socket.write(frameOf(futureType, 0, Buffer.alloc(0)));
      socket.write(longer(answerFrames.ok.encode({ value: 3n }, frame.request)));
    } else if (frame.type === frameType.stop) {
      const stopped = answerFrames.stopped.encode(
        { outcome: 1, killed: 0, left: 0, pids: [] },
        frame.request,
      );
      socket.write(longer(stopped));
    }
  });
  const connection = await KeeperConnection.open(await connectUnixSocket(directory, "sock"));
  expect(connection).toMatchObject({ id: "future", keeperPid: 77 });
  expect(connection.state).toMatchObject({ state: "running", pid: 4711, outputBytes: 12, stdin: "open" });
  expect(await connection.signal(15)).toBe(3);
  expect(await connection.stop()).toMatchObject({ outcome: "ended", left: 0 });
  connection.close();
});

test("a keeper of major version 2 is refused", async () => {
  const directory = newTestHome();
  await futurePeer(directory, "sock", (socket) => socket.write(keeperHello(2, 0)));
  const opening = KeeperConnection.open(await connectUnixSocket(directory, "sock"));
  await expect(opening).rejects.toMatchObject({ code: "CONTRACT_MISMATCH", details: { major: 2, minor: 0 } });
});

test("a keeper that refuses this side's version is reported as such", async () => {
  const directory = newTestHome();
  const refusal = answerFrames.error.encode({
    code: 2,
    errno: 0,
    value: 2n,
    message: Buffer.from("another contract version"),
  });
  await futurePeer(directory, "sock", (socket) => socket.end(refusal));
  const opening = KeeperConnection.open(await connectUnixSocket(directory, "sock"));
  await expect(opening).rejects.toMatchObject({ code: "CONTRACT_MISMATCH" });
});

test("a launcher of minor version 7 starts processes, one of major version 2 is neither used nor replaced", async () => {
  const home = newTestHome();
  mkdirSync(join(home, "runs"), { mode: 0o700 });
  const version = { major: 1, minor: 7 };
  await futurePeer(home, "launcher.sock", (socket, frame) => {
    if (frame.type === frameType.hello)
      socket.write(longer(answerFrames.hello.encode({ ...version, more: Buffer.alloc(0) })));
    else if (frame.type === frameType.start) {
      socket.write(frameOf(futureType, frame.request, trailing));
      socket.write(
        longer(answerFrames.started.encode({ keeperPid: 5, pid: 6, childStart: 7 }, frame.request)),
      );
    }
  });
  const binary = await installBinary(home);
  const launcher = await Launcher.open({ home, binary, environment: {} });
  const outcome = await launcher.start({ id: "a", argv: ["/bin/true"], env: {}, cwd: "/" });
  expect(outcome).toMatchObject({ kind: "started", keeperPid: 5, pid: 6, childStart: 7 });
  await launcher.close();

  version.major = 2;
  const opening = Launcher.open({ home, binary, environment: {} });
  await expect(opening).rejects.toMatchObject({ code: "CONTRACT_MISMATCH" });
  expect(launcherPidOf(home)).toBeUndefined();
});

interface RawAnswers {
  readonly frames: Frame[];
  /** The other side hung up. */
  readonly isClosed: boolean;
}

/** Sends bytes and collects frames until one answers request `last`, or the other side hangs up. */
async function converse(stream: Duplex, sent: readonly Buffer[], last: number): Promise<RawAnswers> {
  const reader = new FrameReader();
  const frames: Frame[] = [];
  const { promise, resolve } = Promise.withResolvers<RawAnswers>();
  stream.on("error", () => undefined); // a closed connection shows as the close
  stream.on("close", () => resolve({ frames, isClosed: true }));
  stream.on("data", (chunk: Buffer) => {
    frames.push(...reader.push(chunk));
    if (frames.some((frame) => frame.request === last)) resolve({ frames, isClosed: false });
  });
  stream.on("end", () => stream.destroy());
  stream.write(Buffer.concat(sent));
  const answers = await promise;
  stream.destroy();
  return answers;
}

function errorsIn({ frames }: RawAnswers): unknown[] {
  return frames
    .filter((frame) => frame.type === frameType.error)
    .map((frame) => errorOfFrame(frame.payload).code);
}

const newerHello = longer(requestFrames.hello.encode({ major: 1, minor: 7 }));
const foreignHello = requestFrames.hello.encode({ major: 2, minor: 0 });

test.for(["launcher", "keeper", "attach, live", "attach, ended"] as const)(
  "the %s talks to a client of minor version 7 and parts from one of major version 2",
  async (who) => {
    const keeper = await openKeeperHome();
    const run = await keeper.shell(who === "attach, ended" ? "exit 0" : "sleep 300");
    const held = who === "attach, ended" ? 0 : 1;
    await expect.poll(() => keeper.launcher.status()).toMatchObject({ held });
    const connect = async (): Promise<Duplex> => {
      if (who === "launcher") return await openRawSocket(keeper.home, "launcher.sock");
      if (who === "keeper") return await openRawSocket(run.directory, "sock");
      return openAttachCommand([keeper.binary, "attach", run.directory]);
    };
    const pushed = frameOf(futureType, 0, trailing);
    const unknown = frameOf(futureType, 8, trailing);
    const ping = longer(requestFrames.ping.encode({}, 9));
    const newer = await converse(await connect(), [newerHello, pushed, unknown, ping], 9);
    expect(newer.isClosed).toBe(false);
    // The pushed one is passed over, the request refused, the ping answered.
    expect(
      newer.frames.filter((frame) => frame.request !== 0).map((frame) => [frame.request, frame.type]),
    ).toEqual([
      [8, frameType.error],
      [9, frameType.ok],
    ]);
    const [refusal] = newer.frames.filter((frame) => frame.request === 8);
    const expected = who === "attach, ended" ? "PROCESS_ENDED" : "CONTRACT_MISMATCH";
    expect([expected, "CONTRACT_MISMATCH"]).toContain(
      errorOfFrame(refusal?.payload ?? Buffer.alloc(14)).code,
    );

    const foreign = await converse(await connect(), [foreignHello, requestFrames.ping.encode({}, 9)], 9);
    expect(foreign.isClosed).toBe(true);
    expect(errorsIn(foreign)).toEqual(["CONTRACT_MISMATCH"]);
  },
);
