import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { z } from "zod";
import { environmentSchema } from "../../protocol/process.ts";
import {
  childEnvironment,
  travels,
  type ChildEnvironment,
  type EnvironmentRequest,
} from "./child-environment.ts";
import { parseBetween } from "./login-environment.ts";
import { chooseShell, quoteWord, resolveCommand } from "./resolve-command.ts";

/** A child's environment as its caller asks for it. */
const environmentFor = (
  input: z.input<typeof environmentSchema>,
  more: Partial<EnvironmentRequest> = {},
): Promise<ChildEnvironment> =>
  childEnvironment({
    input: environmentSchema.parse(input),
    mode: "pipe",
    cwd: "/some/where",
    columns: 100,
    rows: 30,
    defaultPolicy: "caller",
    lists: { pass: [], deny: [], allow: [] },
    login: () => Promise.resolve({ PATH: "/login/bin", HOME: "/home/x", EDITOR: "vi" }),
    ...more,
  });

test("a quoted word comes back from a shell as it was", () => {
  fc.assert(
    fc.property(
      fc.string().filter((word) => !word.includes("\0")),
      (word) => {
        expect(execFileSync("/bin/sh", ["-c", `printf %s ${quoteWord(word)}`]).toString()).toBe(word);
      },
    ),
    { numRuns: 30 },
  );
});

test("a string runs in a shell that means by -c what it says, a list runs as it is", async () => {
  expect(await resolveCommand("echo hi", "/bin/sh")).toEqual({
    argv: ["/bin/sh", "-c", "echo hi"],
    shown: "echo hi",
  });
  expect(await resolveCommand(["ls", "a b"], undefined)).toEqual({ argv: ["ls", "a b"], shown: "ls 'a b'" });
  expect(await chooseShell("/usr/bin/fish")).toMatch(/\/(bash|sh)$/);
});

test("the environment is the caller's, without what belongs to the calling process itself", async () => {
  const caller = {
    PATH: "/my/bin",
    TOKEN: "t",
    HOLDFAST_RUN: "/x",
    OLDPWD: "/",
    npm_lifecycle_event: "test",
  };
  const { variables } = await environmentFor({ caller, set: { A: "1" }, remove: ["TOKEN"] }, { mode: "pty" });
  expect(variables).toEqual({ PATH: "/my/bin", A: "1", TERM: "xterm-256color" });
  expect(travels("PATH")).toBe(true);
});

test("no environment, or one with a bare search path, is filled up from the login shell", async () => {
  const none = await environmentFor({});
  expect(none.variables).toEqual({
    PATH: "/login/bin",
    HOME: "/home/x",
    EDITOR: "vi",
    PYTHONUNBUFFERED: "1",
  });
  expect(none.notes).toHaveLength(1);
  const bare = await environmentFor({ caller: { PATH: "/usr/bin:/bin", EDITOR: "emacs" } }, { mode: "pty" });
  expect(bare.variables).toMatchObject({ PATH: "/login/bin", EDITOR: "emacs" });
});

test("an exact environment is exactly that", async () => {
  const exact = await environmentFor({ caller: { A: "1" }, set: { B: "2" }, exact: true });
  expect(exact).toEqual({ variables: { B: "2" }, notes: [] });
});

test("of an exact one the caller may name more", async () => {
  const caller = { PATH: "/my/bin", GH_TOKEN: "t", A: "1" };
  const input = { caller, pass: ["GH_TOKEN", "ABSENT"], set: { B: "2" }, exact: true };
  expect(await environmentFor(input)).toEqual({
    variables: { GH_TOKEN: "t", B: "2" },
    notes: ["Named in environment.pass, but not there, or denied by the configuration: ABSENT."],
  });
});

test("a command of an agent gets no credential but the named ones; what was withheld is told by name, never by value", async () => {
  const caller = { PATH: "/my/bin", GH_TOKEN: "v1", NPM_TOKEN: "v2", DB_PASS: "v3", EDITOR: "vi" };
  const input = { caller, pass: ["NPM_TOKEN"], set: { API_KEY: "mine" } };
  const { variables, notes } = await environmentFor(input, { defaultPolicy: "command", mode: "pty" });
  expect(variables).toEqual({
    PATH: "/my/bin",
    NPM_TOKEN: "v2",
    EDITOR: "vi",
    API_KEY: "mine",
    TERM: "xterm-256color",
  });
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatch(/: DB_PASS, GH_TOKEN\. /);
  expect(notes.join()).not.toMatch(/v[123]/);
  const whole = await environmentFor({ ...input, policy: "caller" }, { defaultPolicy: "command" });
  expect(whole.variables).toMatchObject({ GH_TOKEN: "v1", DB_PASS: "v3" });
});

test("what the login shell exports is filtered like what a caller sends", async () => {
  const login = () => Promise.resolve({ PATH: "/login/bin", OPENAI_API_KEY: "k" });
  const { variables } = await environmentFor({}, { defaultPolicy: "command", login });
  expect(variables).toEqual({ PATH: "/login/bin", PYTHONUNBUFFERED: "1" });
});

test("a terminal gets its list and what is set for it; whoever sets something else gets that", async () => {
  const caller = { PATH: "/my/bin", LANG: "C", TERM: "dumb", COLUMNS: "7", EDITOR: "vi", GOPATH: "/go" };
  const input = { caller, policy: "terminal" as const, set: { COLORTERM: "no" } };
  const lists = { pass: [], deny: [], allow: ["GO*"] };
  const { variables, notes } = await environmentFor(input, { mode: "pty", lists });
  expect(variables).toEqual({
    PATH: "/my/bin",
    LANG: "C",
    GOPATH: "/go",
    TERM: "xterm-256color",
    COLORTERM: "no",
    COLUMNS: "100",
    LINES: "30",
    PWD: "/some/where",
    HOLDFAST_TERMINAL: "1",
  });
  expect(notes).toEqual([expect.stringContaining(": EDITOR. ") as string]);
  const piped = await environmentFor(input, { mode: "pipe", lists });
  expect(piped.variables).not.toHaveProperty("HOLDFAST_TERMINAL");
});

test("what start-up files print around the markers is not taken for variables", () => {
  const output = Buffer.from("Welcome!\nA=notreal\nMARK\0PATH=/x\0MULTI=a\nB=c\0SHLVL=1\0MARK\0bye");
  expect(parseBetween(output, "MARK")).toEqual({ PATH: "/x", MULTI: "a\nB=c" });
  expect(() => parseBetween(Buffer.from("nothing"), "MARK")).toThrow(/did not print/);
});
