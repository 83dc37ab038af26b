// What `wait --for` may be told: exit, log:PATTERN, port:N, http:URL, file:PATH, idle:5s.
import { resolve } from "node:path";
import type { OperationInput } from "../../protocol/operations.ts";
import { parsePositiveDuration } from "./duration.ts";
import { invalidArgument } from "./invalid-argument.ts";

export type ConditionInput = NonNullable<OperationInput<"process.wait">["for"]>;

export const conditionForms = "exit, log:PATTERN, port:N, http:URL, file:PATH or idle:5s";

/** @throws HoldfastError INVALID_ARGUMENT */
export function parseCondition(text: string): ConditionInput {
  const at = text.indexOf(":");
  const kind = at < 0 ? text : text.slice(0, at);
  const rest = at < 0 ? "" : text.slice(at + 1);
  if (kind === "exit" && at < 0) return { kind: "exit" };
  // http://… is a condition of its own: nobody types http:http://….
  if (kind === "https" || (kind === "http" && rest.startsWith("//"))) return { kind: "http", url: text };
  if (rest === "") throw unknownCondition(text);
  switch (kind) {
    case "log":
      return { kind: "match", regex: rest };
    case "port":
      return parsePort(rest);
    case "http":
      return { kind: "http", url: /^https?:/.test(rest) ? rest : `http://${rest}` };
    case "file":
      return { kind: "file", path: resolve(rest) };
    case "idle":
      return { kind: "idle", ms: parsePositiveDuration(rest) };
    default:
      throw unknownCondition(text);
  }
}

/** N, or HOST:N; an IPv6 address with or without brackets. */
function parsePort(text: string): ConditionInput {
  const [, inBrackets, plain, digits = ""] = /^(?:(?:\[(.+)\]|(.+)):)?(\d+)$/.exec(text) ?? [];
  const host = inBrackets ?? plain;
  const port = Number(digits);
  if (digits === "" || port < 1 || port > 65_535) {
    throw invalidArgument(`"${text}" is no port`, "Give a number from 1 to 65535, or HOST:NUMBER.");
  }
  return { kind: "port", port, ...(host === undefined ? {} : { host }) };
}

function unknownCondition(text: string): Error {
  return invalidArgument(`"${text}" is nothing that can be waited for`, `Wait for ${conditionForms}.`);
}
