import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytes, bytesList, u64, type PayloadCursor } from "./frame-fields.ts";
import { FrameReader } from "./frames.ts";
import { frameLimits, frameType } from "./numbers.ts";
import { encodeStart, setDeadline, type StartRequest } from "./start-request.ts";
import { parseText, textValue, textValues } from "./text-format.ts";

const request: StartRequest = { id: "r1", argv: ["sh", "-c", "true"], env: { PATH: "/bin" }, cwd: "/" };
const encoding = { directory: "/h/runs/r1", startToken: "t-1" };

/** A START taken apart as the keeper does it. */
function decode(encoded: Buffer) {
  const [frame, ...more] = new FrameReader(frameLimits.mostStartBytes).push(encoded);
  if (frame === undefined || more.length > 0) throw new Error("not one frame");
  const cursor: PayloadCursor = { payload: frame.payload, at: 0 };
  const id = bytes.read(cursor).toString();
  const deadlineNs = u64.read(cursor);
  const options = parseText(bytes.read(cursor).toString());
  const argv = bytesList.read(cursor).map(String);
  const env = bytesList.read(cursor).map(String);
  expect(cursor.at).toBe(frame.payload.length);
  return { type: frame.type, id, deadlineNs, options, argv, env };
}

describe("encodeStart", () => {
  test("any arguments and environment arrive as they are", () => {
    const word = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));
    const name = fc.stringMatching(/^[A-Z_]+$/).filter((text) => text !== "HOLDFAST_RUN");
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.dictionary(name, word), word, (argv, env, note) => {
        const encoded = encodeStart({ ...request, argv, env, note }, encoding);
        setDeadline(encoded, 123n);
        const start = decode(encoded);
        expect(start).toMatchObject({ type: frameType.start, id: "r1", deadlineNs: 123n, argv });
        const lines = Object.entries(env).map(([key, value]) => `${key}=${value}`);
        expect(start.env).toEqual([...lines, "HOLDFAST_RUN=/h/runs/r1"]);
        expect(textValue(start.options, "note")).toBe(note);
      }),
    );
  });

  test("variables that are no text are sent byte for byte, after the others", () => {
    const encoded = encodeStart({ ...request, binaryEnv: [Buffer.from("B=\xff\xfe", "latin1")] }, encoding);
    expect(decode(encoded).env).toHaveLength(3);
    expect(encoded.subarray(-8)).toEqual(Buffer.from("\x04\0\0\0B=\xff\xfe", "latin1"));
  });

  test("options are sent by the names of the contract, the caller's own limits where nothing is asked", () => {
    const full: StartRequest = {
      ...request,
      cwd: "/a%b",
      mode: "pty",
      stdin: "open",
      program: "/bin/busybox",
      columns: 100,
      rows: 30,
      umask: 0o7,
      nice: 5,
      rlimits: { core: { soft: 0, hard: "infinity" }, nofile: { soft: 10, hard: 20 } },
      headLimitBytes: 1,
      tailLimitBytes: 2,
      wallLimitMs: 3,
      idleLimitMs: 4,
      outputLimitBytes: 5,
      memoryLimitBytes: 6,
      graceMs: 7,
      cgroup: "off",
    };
    const { options } = decode(encodeStart(full, encoding));
    expect(options).toEqual([
      ["mode", "pty"],
      ["stdin", "open"],
      ["cwd", "/a%b"],
      ["umask", "007"],
      ["nice", "5"],
      ["rlimit", "core 0 infinity"],
      ["rlimit", "nofile 10 20"],
      ["columns", "100"],
      ["rows", "30"],
      ["head_limit", "1"],
      ["tail_limit", "2"],
      ["wall_limit_ms", "3"],
      ["idle_limit_ms", "4"],
      ["output_limit_bytes", "5"],
      ["memory_limit_bytes", "6"],
      ["grace_ms", "7"],
      ["program", "/bin/busybox"],
      ["cgroup", "off"],
      ["start_token", "t-1"],
    ]);
    const plain = decode(encodeStart(request, encoding)).options;
    expect(textValue(plain, "umask")).toBe(process.umask().toString(8).padStart(3, "0"));
    expect(textValues(plain, "rlimit").length).toBe(process.platform === "linux" ? 1 : 0);
  });

  test("HOLDFAST_RUN names this run, not the caller's; an exact environment is left alone", () => {
    const env = { HOLDFAST_RUN: "/outer", A: "1" };
    expect(decode(encodeStart({ ...request, env }, encoding)).env).toEqual([
      "A=1",
      "HOLDFAST_RUN=/h/runs/r1",
    ]);
    const exact = encodeStart({ ...request, env, environmentIsExact: true }, encoding);
    expect(decode(exact).env).toEqual(["HOLDFAST_RUN=/outer", "A=1"]);
  });

  test("what cannot be started is refused before anything is sent", () => {
    const bad: Array<Partial<StartRequest>> = [
      { id: "" },
      { id: "-x" },
      { id: "a/b" },
      { id: "x".repeat(65) },
      { argv: [] },
      { argv: ["a\0b"] },
      { env: { A: "1\0" } },
      { env: { "": "1" } },
      { cwd: "relative" },
      { program: "a\0b" },
      { columns: -1 },
      { wallLimitMs: 1.5 },
      { rlimits: { "no file": { soft: 1, hard: 1 } } },
      { rlimits: { core: { soft: Number.NaN, hard: 1 } } },
    ];
    for (const part of bad) {
      expect(() => encodeStart({ ...request, ...part }, encoding), JSON.stringify(part)).toThrow(
        expect.objectContaining({ code: "INVALID_ARGUMENT" }) as Error,
      );
    }
    expect(() => encodeStart({ ...request, argv: ["x".repeat(9_000_000)] }, encoding)).toThrow(
      expect.objectContaining({ code: "REQUEST_TOO_LARGE" }) as Error,
    );
  });
});
