import { duplexPair, type Duplex } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { KeeperConnection } from "./connection.ts";
import { answerFrames, FrameReader, requestFrames, type Frame } from "./frames.ts";
import { endOfOutput, frameType } from "./numbers.ts";
import type { OutputEvent } from "./output-event.ts";

const hello = answerFrames.keeperHello.encode({ major: 1, minor: 7, id: Buffer.from("run"), keeperPid: 42 });
const state = (text: string): Buffer => answerFrames.state.encode({ text: Buffer.from(text) });
const running = state("state running\npid 5\nstart 6\nstdin open\noutput_bytes 0\nclosed 0\n");
const ended = state(
  "state ended\npid 5\nend_offset 9\nclosed 1\nliving 0\ncontract 1.0\nkind exited\ncode 3\nstop_reason none\noutput_bytes 4\n",
);

/** The other end of a connection: what the client sent so far, and a way to answer. */
class Peer {
  readonly frames: Frame[] = [];
  readonly stream: Duplex;
  onFrame: (frame: Frame) => void = () => undefined;

  constructor(stream: Duplex) {
    this.stream = stream;
    const reader = new FrameReader();
    stream.on("data", (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) {
        this.frames.push(frame);
        this.onFrame(frame);
      }
    });
  }

  send(...frames: readonly Buffer[]): void {
    this.stream.write(Buffer.concat(frames));
  }

  ofType(type: number): Frame[] {
    return this.frames.filter((frame) => frame.type === type);
  }
}

function newPeer(): { peer: Peer; client: Duplex } {
  const [client, server] = duplexPair();
  return { peer: new Peer(server), client };
}

async function connect(): Promise<{ peer: Peer; connection: KeeperConnection }> {
  const { peer, client } = newPeer();
  peer.send(hello, running);
  const connection = await KeeperConnection.open(client);
  onTestFinished(() => connection.close());
  return { peer, connection };
}

describe("opening", () => {
  test("waits for HELLO and the first STATE, and says HELLO itself", async () => {
    const { peer, connection } = await connect();
    expect(connection).toMatchObject({ id: "run", keeperPid: 42, isOpen: true });
    expect(connection.state).toMatchObject({ state: "running", pid: 5, stdin: "open" });
    expect(peer.frames[0]?.type).toBe(frameType.hello);
  });

  test("fails by what the other side is", async () => {
    const open = async (...frames: readonly Buffer[]) => {
      const { peer, client } = newPeer();
      peer.send(...frames);
      return await KeeperConnection.open(client, { timeoutMs: 20 });
    };
    const older = answerFrames.keeperHello.encode({ major: 2, minor: 0, id: Buffer.alloc(0), keeperPid: 1 });
    const full = answerFrames.error.encode({
      code: 10,
      errno: 0,
      value: 64n,
      message: Buffer.from("too many"),
    });
    await expect(open(older)).rejects.toMatchObject({ code: "CONTRACT_MISMATCH" });
    await expect(open(full)).rejects.toMatchObject({ code: "TOO_MANY_CLIENTS" });
    await expect(open(hello, full)).rejects.toMatchObject({ code: "TOO_MANY_CLIENTS" });
    await expect(open(running)).rejects.toMatchObject({ code: "CONTRACT_MISMATCH" });
    await expect(open()).rejects.toMatchObject({ code: "KEEPER_UNREACHABLE" });
  });

  test("ends with the signal", async () => {
    const { client } = newPeer();
    const reason = new Error("enough");
    const opening = KeeperConnection.open(client, { signal: AbortSignal.abort(reason) });
    await expect(opening).rejects.toBe(reason);
  });
});

describe("requests", () => {
  test("get their own answers, in any order, and the errors of the keeper", async () => {
    const { peer, connection } = await connect();
    const answers: Array<() => void> = [];
    peer.onFrame = (frame) => {
      const isSignal = frame.type === frameType.signal;
      const error = answerFrames.error.encode(
        { code: 8, errno: 0, value: 0n, message: Buffer.from("no terminal") },
        frame.request,
      );
      answers.unshift(() =>
        peer.send(isSignal ? answerFrames.ok.encode({ value: 3n }, frame.request) : error),
      );
      if (answers.length === 2) for (const answer of answers) answer();
    };
    const [reached, resized] = await Promise.allSettled([
      connection.signal(15, "tree"),
      connection.resize(80, 24),
    ]);
    expect(reached).toMatchObject({ value: 3 });
    expect(resized).toMatchObject({ reason: { code: "NOT_A_TERMINAL", message: "no terminal" } });
  });

  test("are lost with the connection", async () => {
    const { peer, connection } = await connect();
    const asked = [connection.ping(), connection.stop(), connection.waitEnd()];
    peer.stream.destroy();
    for (const answer of asked) await expect(answer).rejects.toMatchObject({ code: "KEEPER_GONE" });
    await expect(connection.ping()).rejects.toMatchObject({ code: "KEEPER_GONE" });
    expect(connection.isOpen).toBe(false);
    expect(await connection.closed).toMatchObject({ code: "KEEPER_GONE" });
  });

  test("a stop tells what it had to kill", async () => {
    const { peer, connection } = await connect();
    peer.onFrame = ({ request, payload }) => {
      expect(requestFrames.stop.decode(payload)).toEqual({
        graceMs: 50,
        flags: 1,
        reason: 7,
        by: Buffer.from("me"),
      });
      peer.send(answerFrames.stopped.encode({ outcome: 2, killed: 2, left: 0, pids: [10, 11] }, request));
    };
    const result = await connection.stop({ graceMs: 50, noKill: true, reason: "lifetime", by: "me" });
    expect(result).toEqual({ outcome: "killed", killed: 2, left: 0, killedPids: [10, 11] });
  });

  test("the end is told by STATE", async () => {
    const { peer, connection } = await connect();
    const states: string[] = [];
    connection.onState(({ state: name }) => states.push(name));
    const end = connection.waitEnd();
    peer.send(running, ended);
    expect(await end).toMatchObject({ exit: { kind: "exited", code: 3 }, outputBytes: 4 });
    expect(states).toEqual(["running", "ended"]);
    expect(connection.state).toMatchObject({ outputBytes: 9, isOutputClosed: true });
    expect(await connection.waitEnd()).toMatchObject({ exit: { kind: "exited", code: 3 } });
  });
});

describe("write", () => {
  test("goes on after room, also when the room is announced with the answer", async () => {
    const { peer, connection } = await connect();
    const room = answerFrames.stdinRoom.encode({});
    const taken = [4, 4, 7, 10];
    const withRoom = [true, false, true, false];
    peer.onFrame = ({ request }) => {
      const value = BigInt(taken.shift() ?? 0);
      const ok = answerFrames.ok.encode({ value }, request);
      if (withRoom.shift()) peer.send(ok, room);
      else peer.send(ok);
      if (value === 4n && taken.length === 2) setImmediate(() => peer.send(room));
    };
    const accepted: number[] = [];
    const options = { secret: true, onAccepted: (next: number) => accepted.push(next) };
    expect(await connection.write(9n, 0, Buffer.from("0123456789"), options)).toBe(10);
    expect(accepted).toEqual([4, 4, 7, 10]);
    const writes = peer.ofType(frameType.write).map(({ payload }) => requestFrames.write.decode(payload));
    expect(writes.map(({ sequence, data }) => `${sequence}:${data.toString()}`)).toEqual([
      "0:0123456789",
      "4:456789",
      "4:456789",
      "7:789",
    ]);
    expect(writes.every(({ flags, writer }) => flags === 1 && writer === 9n)).toBe(true);
  });

  test("stops waiting for room at the signal", async () => {
    const { peer, connection } = await connect();
    const abort = new AbortController();
    peer.onFrame = ({ request }) => {
      peer.send(answerFrames.ok.encode({ value: 1n }, request));
      setImmediate(() => abort.abort(new Error("enough")));
    };
    const writing = connection.write(9n, 0, Buffer.from("abc"), { signal: abort.signal });
    await expect(writing).rejects.toThrow("enough");
    expect(peer.ofType(frameType.write)).toHaveLength(1);
  });
});

describe("output", () => {
  const data = (offset: number, text: string, request: number): Buffer => {
    return answerFrames.data.encode({ offset, data: Buffer.from(text) }, request);
  };

  test("gives credit as it is taken, never more than was asked for", async () => {
    const { peer, connection } = await connect();
    const total = 1_000;
    let credit = 0;
    let mostCredit = 0;
    let sent = 0;
    let outputRequest = 0;
    peer.onFrame = (frame) => {
      if (frame.type === frameType.output) {
        outputRequest = frame.request;
        credit = requestFrames.output.decode(frame.payload).credit;
      } else if (frame.type === frameType.credit) {
        credit += requestFrames.credit.decode(frame.payload).more;
      }
      mostCredit = Math.max(mostCredit, credit);
      for (; credit >= 10 && sent < total; credit -= 10, sent += 10)
        peer.send(data(sent, "0123456789", outputRequest));
      if (sent === total)
        peer.send(answerFrames.outputEnd.encode({ nextOffset: total, why: 2 }, outputRequest));
    };
    let next = 0;
    let last: OutputEvent | undefined;
    for await (const event of connection.output({ follow: true, marks: true, creditBytes: 40 })) {
      if (event.kind === "data") next += event.offset === next ? event.bytes.length : Number.NaN;
      last = event;
    }
    expect(next).toBe(total);
    expect(mostCredit).toBe(40);
    const [asked] = peer.ofType(frameType.output).map(({ payload }) => requestFrames.output.decode(payload));
    expect(asked).toEqual({ from: 0n, credit: 40, flags: 3 });
    expect(last).toEqual({ kind: "end", nextOffset: total, why: "closed" });
  });

  test("passes on marks, what is missing, and errors", async () => {
    const { peer, connection } = await connect();
    peer.onFrame = ({ request }) => {
      peer.send(
        answerFrames.mark.encode({ kind: "e".charCodeAt(0), timeUs: 1, offset: 2, value: 3 }, request),
        answerFrames.mark.encode({ kind: "?".charCodeAt(0), timeUs: 1, offset: 2, value: 3 }, request),
        answerFrames.missing.encode({ from: 2, to: 5, why: 1 }, request),
        answerFrames.missing.encode({ from: 5, to: 6, why: 2 }, request),
        answerFrames.error.encode({ code: 3, errno: 0, value: 99n, message: Buffer.from("gone") }, request),
      );
    };
    const seen: OutputEvent[] = [];
    const reading = async () => {
      for await (const event of connection.output()) seen.push(event);
    };
    await expect(reading()).rejects.toMatchObject({ code: "OUTPUT_TRIMMED", details: { firstOffset: 99 } });
    expect(seen).toEqual([
      { kind: "mark", mark: "stderr", timeUs: 1, offset: 2, value: 3 },
      { kind: "missing", from: 2, to: 5, why: "dropped" },
      { kind: "missing", from: 5, to: 6, why: "gap" },
    ]);
  });

  test("that is left early is stopped; until then there is no second one", async () => {
    const { peer, connection } = await connect();
    const cancelled = Promise.withResolvers<number>();
    peer.onFrame = ({ type, request, payload }) => {
      if (type !== frameType.output) return;
      const { from, credit } = requestFrames.output.decode(payload);
      if (from === endOfOutput) cancelled.resolve(credit);
      else peer.send(data(0, "x", request));
    };
    for await (const event of connection.output({ follow: true })) {
      expect(event.kind).toBe("data");
      await expect(connection.output().next()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      break;
    }
    expect(await cancelled.promise).toBe(0);
  });

  test("ends with the signal, or with the connection, after what had come", async () => {
    const { peer, connection } = await connect();
    const abort = new AbortController();
    peer.onFrame = ({ type, request }) => {
      if (type === frameType.output) peer.send(data(0, "x", request));
    };
    const first = connection.output({ signal: abort.signal, follow: true });
    expect((await first.next()).value).toMatchObject({ kind: "data" });
    abort.abort(new Error("enough"));
    await expect(first.next()).rejects.toThrow("enough");
    const second = connection.output({ follow: true });
    expect((await second.next()).value).toMatchObject({ kind: "data" });
    peer.stream.destroy();
    await expect(second.next()).rejects.toMatchObject({ code: "KEEPER_GONE" });
  });
});
