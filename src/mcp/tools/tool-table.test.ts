import * as fc from "fast-check";
import { expect, test } from "vitest";
import { actionNamed, processActions } from "./familiar-names.ts";
import { processSchema, readProcessArguments } from "./process-input.ts";
import { readTerminalArguments, terminalSchema } from "./terminal-input.ts";
import { inputSchemaOf, toolNames } from "./tool-table.ts";

test("schemas are plain objects without references, and every argument is explained", () => {
  for (const name of toolNames) {
    const schema = inputSchemaOf(name) as {
      properties: Record<string, { description?: string; type?: string }>;
    };
    expect(JSON.stringify(schema)).not.toMatch(/\$ref|\$defs|\$schema/);
    for (const [argument, told] of Object.entries(schema.properties)) {
      expect(told.description, `${name}.${argument}`).toMatch(/\S/);
      expect(told.type, `${name}.${argument}`).toBeDefined();
    }
  }
});

test("text is read as number, boolean and list where these are meant", () => {
  const told = terminalSchema.parse({
    command: 7,
    timeout: " 2.5 ",
    background: "Yes",
    pty: 0,
    watch: "error",
    notify: true,
    limit: null,
    stdin: "",
  });
  expect(told).toEqual({
    command: "7",
    timeout: 2.5,
    background: true,
    pty: false,
    watch: ["error"],
    notify: "end",
  });
  expect(terminalSchema.safeParse({ command: "x", timeout: "soon" }).success).toBe(false);
  expect(terminalSchema.safeParse({ command: "x", background: "maybe" }).success).toBe(false);
});

test("familiar names of arguments are ours; our own win", () => {
  expect(readTerminalArguments({ cmd: "a", timeout_ms: "1500", run_in_background: true })).toEqual({
    command: "a",
    timeout: 1.5,
    background: true,
  });
  expect(readTerminalArguments({ cmd: "a", command: "b" })).toEqual({ cmd: "a", command: "b" });
  expect(readTerminalArguments({ constructor: 1 })).toEqual({ constructor: 1 });
  expect(
    processSchema.parse(readProcessArguments({ action: "waitForPort", session_id: 12, port: "80" })),
  ).toEqual({
    action: "waitForPort",
    id: "12",
    port: 80,
    for: "port",
  });
});

test.each([
  ["TaskStop", "kill"],
  ["force_terminate", "kill"],
  ["write_stdin", "write"],
  ["read_process_output", "poll"],
  ["interact_with_process", "submit"],
  ["list_sessions", "list"],
  ["Monitor", "wait"],
  ["waitForLog", "wait"],
  ["Poll", "poll"],
])("the action %s is %s", (name, action) => {
  expect(actionNamed(name)).toBe(action);
});

test("no other word is an action by accident", () => {
  for (const name of ["dance", "constructor", "__proto__", ""]) expect(actionNamed(name)).toBeUndefined();
  fc.assert(
    fc.property(fc.string(), (word) => {
      const action = actionNamed(word);
      return action === undefined || processActions.includes(action);
    }),
  );
});
