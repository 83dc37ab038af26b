import { duplexPair, type Duplex } from "node:stream";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerFrames, FrameReader, requestFrames, type Frame } from "./frames.ts";
import { KeptProcess } from "./kept-process.ts";
import { endOfOutput, frameType } from "./numbers.ts";

const letters = ["o", "e", "r"] as const;

/** A run of the contract: chunks of output, each with its index line, and keepers that die after a number of frames. */
class RunModel {
  readonly text: string;
  readonly chunks: readonly string[];
  /** Output before this offset has been dropped. */
  firstOffset = 0;
  connections = 0;
  stops = 0;
  readonly #lives: number[];

  constructor(chunks: readonly string[], lives: readonly number[] = []) {
    this.chunks = chunks;
    this.text = chunks.join("");
    this.#lives = [...lives];
  }

  readonly connect = (): Promise<Duplex> => {
    const [client, server] = duplexPair();
    const life = this.#lives[this.connections] ?? Number.POSITIVE_INFINITY;
    this.connections += 1;
    const keeper = new KeeperModel(server, life);
    keeper.serve(this);
    return Promise.resolve(client);
  };
}

class KeeperModel {
  readonly #stream: Duplex;
  #life: number;

  constructor(stream: Duplex, life: number) {
    this.#stream = stream;
    this.#life = life;
  }

  serve(run: RunModel): void {
    this.#send(answerFrames.keeperHello.encode({ major: 1, minor: 0, id: Buffer.from("r"), keeperPid: 1 }));
    this.#send(
      answerFrames.state.encode({ text: Buffer.from(`state running\nend_offset ${run.text.length}\n`) }),
    );
    const reader = new FrameReader();
    this.#stream.on("data", (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) this.#answer(run, frame);
    });
  }

  #answer(run: RunModel, frame: Frame): void {
    if (frame.type === frameType.output) this.#streamOutput(run, frame);
    if (frame.type === frameType.stop) {
      run.stops += 1;
      this.#send(answerFrames.stopped.encode({ outcome: 1, killed: 0, left: 0, pids: [] }, frame.request));
    }
    if (frame.type === frameType.signal) this.#stream.destroy();
  }

  #streamOutput(run: RunModel, { request, payload }: Frame): void {
    const { from: asked } = requestFrames.output.decode(payload);
    if (asked === endOfOutput) return;
    const from = Number(asked);
    if (from < run.firstOffset) {
      const value = BigInt(run.firstOffset);
      this.#send(
        answerFrames.error.encode({ code: 3, errno: 0, value, message: Buffer.from("gone") }, request),
      );
      return;
    }
    let offset = 0;
    for (const [time, chunk] of run.chunks.entries()) {
      const end = offset + chunk.length;
      if (end > from) {
        const kind = (letters[time % 3] ?? "o").charCodeAt(0);
        this.#send(
          answerFrames.mark.encode({ kind, timeUs: Math.floor(time / 2), offset, value: time }, request),
        );
        const data = Buffer.from(chunk.slice(Math.max(0, from - offset)));
        this.#send(answerFrames.data.encode({ offset: Math.max(offset, from), data }, request));
      }
      offset = end;
    }
    this.#send(answerFrames.outputEnd.encode({ nextOffset: offset, why: 2 }, request));
  }

  #send(frame: Buffer): void {
    if (this.#life-- > 0) this.#stream.write(frame);
    else this.#stream.end();
  }
}

const chunks = fc.array(fc.string({ minLength: 1, maxLength: 5, unit: "grapheme-ascii" }), {
  minLength: 1,
  maxLength: 8,
});

describe("output through the death of keepers", () => {
  test("has every byte once and every mark once", async () => {
    await fc.assert(
      fc.asyncProperty(chunks, fc.array(fc.nat(12), { maxLength: 6 }), async (parts, lives) => {
        const run = new RunModel(parts, lives);
        await using process = new KeptProcess(run);
        let text = "";
        let isInPlace = true;
        const marks: number[] = [];
        for await (const event of process.output({ follow: true, marks: true })) {
          if (event.kind === "data") {
            isInPlace &&= event.offset === text.length;
            text += event.bytes.toString();
          }
          if (event.kind === "mark") marks.push(event.value);
        }
        expect(isInPlace).toBe(true);
        expect(text).toBe(run.text);
        expect(marks).toEqual(Array.from(parts.keys()));
      }),
      { numRuns: 60 },
    );
  });

  test("tells what was dropped meanwhile; a first byte that is gone is an error", async () => {
    const run = new RunModel(["aaaa", "bbbb", "cccc"], [4]);
    await using process = new KeptProcess(run);
    const seen: string[] = [];
    for await (const event of process.output()) {
      if (event.kind === "data") seen.push(`${event.offset}:${event.bytes.toString()}`);
      if (event.kind === "missing") seen.push(`${event.from}-${event.to} ${event.why}`);
      run.firstOffset = 6;
    }
    expect(seen).toEqual(["0:aaaa", "4-6 dropped", "6:bb", "8:cccc"]);
    const again = process.output().next();
    await expect(again).rejects.toMatchObject({ code: "OUTPUT_TRIMMED", details: { firstOffset: 6 } });
  });

  test("from the end means the end at that time", async () => {
    const run = new RunModel(["aaaa"]);
    await using process = new KeptProcess(run);
    const events = [];
    for await (const event of process.output({ from: "end" })) events.push(event);
    expect(events).toEqual([{ kind: "end", nextOffset: 4, why: "closed" }]);
  });

  test("gives up on a run whose keepers all die at once", async () => {
    const run = new RunModel(
      ["aaaa"],
      Array.from({ length: 100 }, () => 2),
    );
    await using process = new KeptProcess(run, { reconnectTimeoutMs: 50 });
    await expect(process.output().next()).rejects.toMatchObject({ code: "KEEPER_GONE" });
    const nobody = new KeptProcess(
      { connect: () => new RunModel([], [0]).connect() },
      { reconnectTimeoutMs: 20 },
    );
    await expect(nobody.wait()).rejects.toMatchObject({ code: "KEEPER_UNREACHABLE" });
    nobody.close();
  });
});

describe("requests through the death of keepers", () => {
  test("a stop is asked again", async () => {
    const run = new RunModel([], [2]);
    await using process = new KeptProcess(run);
    expect(await process.stop()).toMatchObject({ outcome: "ended" });
    expect(run).toMatchObject({ connections: 2, stops: 2 });
  });

  test("a signal is not", async () => {
    const run = new RunModel([]);
    await using process = new KeptProcess(run);
    await expect(process.signal(10)).rejects.toMatchObject({ code: "KEEPER_GONE" });
    expect(run.connections).toBe(1);
  });

  test("a closed handle ends what waits on it", async () => {
    const process = new KeptProcess(new RunModel(["a"]));
    const end = process.wait();
    const output = process.output({ follow: true });
    await output.next();
    process.close();
    await expect(end).rejects.toMatchObject({ code: "KEEPER_GONE" });
    await expect(output.next()).rejects.toMatchObject({ code: "KEEPER_GONE" });
    await expect(process.stop()).rejects.toMatchObject({ code: "KEEPER_GONE" });
  });
});
