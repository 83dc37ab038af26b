import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HoldfastError } from "../protocol/errors.ts";
import type { WriteOptions } from "./connection.ts";
import { StdinWriter } from "./stdin-writer.ts";

type Fate = "answer" | "lose the request" | "lose the answer" | "half, then lose";

/** The stdin rule of the contract, with connections that break as a plan says. */
class KeeperModel {
  readonly typed: Buffer[] = [];
  readonly #next = new Map<bigint, number>();
  readonly #plan: Fate[];

  constructor(plan: readonly Fate[] = []) {
    this.#plan = [...plan];
  }

  forgetWriters(): void {
    this.#next.clear();
  }

  accept(writer: bigint, sequence: number, data: Buffer): number {
    const next = this.#next.get(writer) ?? 0;
    if (sequence > next) throw new HoldfastError("SEQUENCE_GAP", "bytes before these are missing");
    const fresh = data.subarray(next - sequence);
    this.typed.push(Buffer.from(fresh));
    this.#next.set(writer, next + fresh.length);
    return next + fresh.length;
  }

  readonly connect = () => {
    const fate = this.#plan.shift() ?? "answer";
    const gone = new HoldfastError("KEEPER_GONE", "lost");
    const write = async (
      writer: bigint,
      sequence: number,
      data: Buffer,
      options: WriteOptions = {},
    ): Promise<number> => {
      await Promise.resolve();
      if (fate === "lose the request") throw gone;
      if (fate === "half, then lose") {
        const half = data.subarray(0, Math.floor(data.length / 2));
        options.onAccepted?.(this.accept(writer, sequence, half));
        throw gone;
      }
      const next = this.accept(writer, sequence, data);
      if (fate === "lose the answer") throw gone;
      options.onAccepted?.(next);
      return next;
    };
    return Promise.resolve({ write });
  };

  get text(): string {
    return Buffer.concat(this.typed).toString();
  }
}

describe("StdinWriter", () => {
  test("types every byte once, in order, wherever connections break", async () => {
    const fate = fc.constantFrom<Fate>("answer", "lose the request", "lose the answer", "half, then lose");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string()), fc.array(fate, { maxLength: 12 }), async (writes, plan) => {
        const keeper = new KeeperModel(plan);
        const writer = new StdinWriter(keeper.connect);
        await Promise.all(writes.map((text) => writer.write(Buffer.from(text))));
        expect(keeper.text).toBe(writes.join(""));
      }),
    );
  });

  test("cuts what is larger than a frame", async () => {
    const keeper = new KeeperModel(["answer", "lose the answer"]);
    await new StdinWriter(keeper.connect).write(Buffer.alloc(200_000, "x"));
    expect(keeper.text).toHaveLength(200_000);
    expect(Math.max(...keeper.typed.map((part) => part.length))).toBe(65_536);
  });

  test("starts anew when the keeper has forgotten it, and says so when nobody can tell what arrived", async () => {
    const keeper = new KeeperModel();
    const writer = new StdinWriter(keeper.connect);
    await writer.write(Buffer.from("one "));
    keeper.forgetWriters();
    await writer.write(Buffer.from("two "));
    expect(keeper.text).toBe("one two ");

    const forgetful = new KeeperModel(["answer", "lose the answer"]);
    const unlucky = new StdinWriter(() => {
      if (forgetful.text === "one two ") forgetful.forgetWriters();
      return forgetful.connect();
    });
    await unlucky.write(Buffer.from("one "));
    await expect(unlucky.write(Buffer.from("two "))).rejects.toMatchObject({ code: "SEQUENCE_GAP" });
    await unlucky.write(Buffer.from("three"));
    expect(forgetful.text).toBe("one two three");
  });

  test("a refused write leaves the next one whole", async () => {
    const keeper = new KeeperModel();
    let isRefusing = true;
    const writer = new StdinWriter(() => {
      if (isRefusing) throw new HoldfastError("ECHO_ON", "would be shown");
      return keeper.connect();
    });
    await expect(writer.write(Buffer.from("secret"))).rejects.toMatchObject({ code: "ECHO_ON" });
    isRefusing = false;
    await writer.write(Buffer.from("plain"));
    expect(keeper.text).toBe("plain");
  });

  test("a caller that stops waiting does not disturb the order", async () => {
    const keeper = new KeeperModel();
    const gate = Promise.withResolvers<void>();
    const writer = new StdinWriter(async () => {
      await gate.promise;
      return keeper.connect();
    });
    const abort = new AbortController();
    const first = writer.write(Buffer.from("a"), { signal: abort.signal });
    const second = writer.write(Buffer.from("b"));
    abort.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    gate.resolve();
    await second;
    expect(keeper.text.endsWith("b")).toBe(true);
    writer.close();
    await expect(writer.write(Buffer.from("c"))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});
