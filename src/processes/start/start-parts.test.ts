import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { environmentSchema } from "../../protocol/process.ts";
import { childEnvironment, travels } from "./child-environment.ts";
import { parseBetween } from "./login-environment.ts";
import { chooseShell, quoteWord, resolveCommand } from "./resolve-command.ts";

const login = (): Promise<Record<string, string>> =>
  Promise.resolve({ PATH: "/login/bin", HOME: "/home/x", EDITOR: "vi" });

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
  const { variables } = await childEnvironment(
    environmentSchema.parse({ caller, set: { A: "1" }, remove: ["TOKEN"] }),
    "pty",
    login,
  );
  expect(variables).toEqual({ PATH: "/my/bin", A: "1", TERM: "xterm-256color" });
  expect(travels("PATH")).toBe(true);
});

test("no environment, or one with a bare search path, is filled up from the login shell", async () => {
  const none = await childEnvironment(environmentSchema.parse({}), "pipe", login);
  expect(none.variables).toEqual({
    PATH: "/login/bin",
    HOME: "/home/x",
    EDITOR: "vi",
    PYTHONUNBUFFERED: "1",
  });
  expect(none.notes).toHaveLength(1);
  const bare = await childEnvironment(
    environmentSchema.parse({ caller: { PATH: "/usr/bin:/bin", EDITOR: "emacs" } }),
    "pty",
    login,
  );
  expect(bare.variables).toMatchObject({ PATH: "/login/bin", EDITOR: "emacs" });
});

test("an exact environment is exactly that", async () => {
  const exact = await childEnvironment(
    environmentSchema.parse({ caller: { A: "1" }, set: { B: "2" }, exact: true }),
    "pipe",
    login,
  );
  expect(exact).toEqual({ variables: { B: "2" }, notes: [] });
});

test("what start-up files print around the markers is not taken for variables", () => {
  const output = Buffer.from("Welcome!\nA=notreal\nMARK\0PATH=/x\0MULTI=a\nB=c\0SHLVL=1\0MARK\0bye");
  expect(parseBetween(output, "MARK")).toEqual({ PATH: "/x", MULTI: "a\nB=c" });
  expect(() => parseBetween(Buffer.from("nothing"), "MARK")).toThrow(/did not print/);
});
