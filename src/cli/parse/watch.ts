// What `watch add` is told to look for: one thing, with what belongs to it.
import type { OperationInput } from "../../protocol/operations.ts";
import { given } from "./given.ts";
import { invalidArgument } from "./invalid-argument.ts";

export type WatchInput = OperationInput<"watch.add">["watch"];

export interface WatchOptions {
  readonly text?: string;
  readonly regex?: string;
  readonly silence?: number;
  readonly rate?: number;
  readonly per?: number;
  readonly bytes?: boolean;
  readonly input?: boolean;
  readonly exit?: readonly number[];
  readonly port?: number;
  readonly http?: string;
  readonly stream?: "stdout" | "stderr" | "both";
  readonly from?: number | "start" | "now";
}

const things = ["text", "regex", "silence", "rate", "input", "exit", "port", "http"] as const;
const belonging = {
  stream: ["text", "regex"],
  from: ["text", "regex"],
  per: ["rate"],
  bytes: ["rate"],
} as const satisfies Partial<Record<keyof WatchOptions, readonly (typeof things)[number][]>>;

/** @throws HoldfastError INVALID_ARGUMENT */
export function watchOf(options: WatchOptions): WatchInput {
  const [thing, another] = things.filter((name) => options[name] !== undefined);
  if (thing === undefined || another !== undefined) {
    throw invalidArgument(
      "Give one thing to watch for.",
      `One of ${things.map((name) => `--${name}`).join(", ")}.`,
    );
  }
  for (const [option, owners] of Object.entries(belonging)) {
    const isGiven = options[option as keyof typeof belonging] !== undefined; // a key of that very table
    if (isGiven && !owners.some((owner) => owner === thing)) {
      throw invalidArgument(
        `--${option} does not go with --${thing}.`,
        `It goes with --${owners.join(" and --")}.`,
      );
    }
  }
  return inputOf(thing, options);
}

function inputOf(thing: (typeof things)[number], options: WatchOptions): WatchInput {
  const { text = "", regex = "", stream, from } = options;
  switch (thing) {
    case "text":
      return { kind: "text", text, ...given({ stream, from }) };
    case "regex":
      return { kind: "regex", regex, ...given({ stream, from }) };
    case "silence":
      return { kind: "silence", ms: options.silence ?? 0 };
    case "rate": {
      const unit = options.bytes === true ? "bytes" : "lines";
      return { kind: "rate", most: options.rate ?? 0, unit, ...given({ perMs: options.per }) };
    }
    case "input":
      return { kind: "input" };
    case "exit":
      return { kind: "exit", codes: [...(options.exit ?? [])] };
    case "port":
      return { kind: "port", port: options.port ?? 0 };
    default:
      return { kind: "http", url: options.http ?? "" };
  }
}

/** An offset, `start` or `now`. @throws HoldfastError INVALID_ARGUMENT */
export function parseFrom(text: string): number | "start" | "now" {
  if (text === "start" || text === "now") return text;
  const offset = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(offset)) return offset;
  throw invalidArgument(`"${text}" is no place in the output`, "Give an offset in bytes, start or now.");
}

/** Exit codes with commas between them. @throws HoldfastError INVALID_ARGUMENT */
export function parseCodes(text: string): number[] {
  const codes = text.split(",").map((code) => (/^\d{1,3}$/.test(code) ? Number(code) : Number.NaN));
  if (codes.every((code) => code <= 255)) return codes;
  throw invalidArgument(`"${text}" are no exit codes`, "Give numbers from 0 to 255, as in 1,2,130.");
}
