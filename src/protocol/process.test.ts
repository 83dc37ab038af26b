import { expect, test } from "vitest";
import { limitsSchema, mostLimit, startInputSchema } from "./process.ts";

const where = (input: object): string[] =>
  (startInputSchema.safeParse({ command: "true", ...input }).error?.issues ?? []).map((issue) =>
    issue.path.join("."),
  );

test("a limit that no keeper can hold is refused by its name", () => {
  const fields = ["wallMs", "idleMs", "outputBytes", "memoryBytes", "headBytes", "tailBytes"] as const;
  for (const field of fields) {
    expect(limitsSchema.parse({ [field]: mostLimit })).toEqual({ [field]: mostLimit });
    expect(where({ limits: { [field]: mostLimit + 1 } })).toEqual([`limits.${field}`]);
  }
  expect(where({ limits: { graceMs: 2 ** 32 - 1 } })).toEqual([]);
  expect(where({ limits: { graceMs: 2 ** 32 } })).toEqual(["limits.graceMs"]);
});

test("a resource is one that the system knows, with a soft limit that its hard one allows", () => {
  const rlimits = (name: string, soft: unknown, hard: unknown): string[] =>
    where({ limits: { rlimits: { [name]: { soft, hard } } } });
  expect(rlimits("core", 0, "infinity")).toEqual([]);
  expect(rlimits("nofile", 10, 10)).toEqual([]);
  expect(rlimits("colour", 0, 0)).toEqual(["limits.rlimits"]);
  expect(rlimits("core", 2, 1)).toEqual(["limits.rlimits.core"]);
  expect(rlimits("core", "infinity", 1)).toEqual(["limits.rlimits.core"]);
});

test("nothing that is executed or entered has a zero byte", () => {
  expect(where({ command: "echo a\0b" })).toEqual(["command"]);
  expect(where({ command: ["echo", "a\0b"] })).toEqual(["command.1"]);
  expect(where({ cwd: "/a\0b" })).toEqual(["cwd"]);
});
