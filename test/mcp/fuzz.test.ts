// Any arguments at all: a tool answers, with a code of the registry when it refuses, and within the budget.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { errorRegistry } from "../../src/protocol/errors.ts";
import { openCliHome } from "../support/cli-home.ts";
import { openAgent } from "../support/mcp-client.ts";
import { processActions } from "../../src/mcp/tools/familiar-names.ts";
import { processSchema } from "../../src/mcp/tools/process-input.ts";
import { terminalSchema } from "../../src/mcp/tools/terminal-input.ts";

const anything = fc.oneof(
  fc.constantFrom(
    "",
    "0",
    "-1",
    "1e9",
    "true",
    "no",
    "NaN",
    "\0",
    "\u2028",
    "p_",
    "../..",
    "(?=x)",
    "a".repeat(2_000),
  ),
  fc.string({ unit: "binary" }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
);

function argumentsOf(names: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  return fc.dictionary(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() }),
    anything,
    {
      maxKeys: 6,
    },
  );
}

// Short waits, and commands that end: what is looked for is a crash, not patience.
const terminalCalls = argumentsOf(Object.keys(terminalSchema.shape)).map((args) => ({
  name: "terminal",
  args: {
    ...args,
    timeout: 0.05,
    ...("command" in args ? { command: typeof args["command"] === "string" ? "true" : args["command"] } : {}),
  },
}));
const processCalls = fc
  .tuple(argumentsOf(Object.keys(processSchema.shape)), fc.constantFrom(...processActions, "dance"))
  .map(([args, action]) => ({ name: "process", args: { id: "known", action, ...args, timeout: 0.05 } }));
const notificationCalls = argumentsOf(["limit", "keep", "session"]).map((args) => ({
  name: "notifications",
  args,
}));

test("fuzzed arguments never crash a tool", async () => {
  const agent = await openAgent(openCliHome());
  await agent.call("terminal", { command: "cat", background: true, pty: true, name: "known" });
  const codes = new Set<string>();
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(terminalCalls, processCalls, notificationCalls), async ({ name, args }) => {
      const told = await agent.call(name, JSON.parse(JSON.stringify(args)) as Record<string, unknown>);
      if (!told.isError) {
        answered += 1;
        return;
      }
      const { code } = told.facts["error"] as { code: string };
      codes.add(code);
      expect(errorRegistry).toHaveProperty(code);
      expect(code, told.text).not.toBe("INTERNAL");
      expect(told.text).toMatch(/^[A-Z_]+: [^]*\nWhat to do: ./);
    }),
    { numRuns: 120, seed: 20_260_728 },
  );
  expect(codes).toContain("INVALID_ARGUMENT");
  expect(codes.size).toBeGreaterThan(1);
  expect(answered).toBeGreaterThan(5);
  expect((await agent.call("process", { action: "list", all: true })).isError).toBe(false);
});
