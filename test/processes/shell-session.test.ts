// Shells of sessions, with real shells: directory and exported variables from one command to the next, whatever the command does.
import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openShellHome, shells, type ShellHome } from "../support/shell-session.ts";

test("the next command finds directory and exported variables; another session does not", async () => {
  const { run } = await openShellHome();
  const check = async (shell: string): Promise<void> => {
    const first = await run(shell, shell, "cd /usr; export A='x y'; b=local; echo hi");
    expect(first).toMatchObject({ output: "hi\n", code: 0, process: { endCwd: "/usr" } });
    expect(first.process.argv).toEqual([shell, "-c", "cd /usr; export A='x y'; b=local; echo hi"]);
    const second = await run(shell, shell, 'pwd; echo "$A" "$b"; unset A; cd /; exit 3');
    expect(second).toMatchObject({ output: "/usr\nx y \n", code: 3, process: { cwd: "/usr", endCwd: "/" } });
    expect((await run(shell, shell, 'pwd; echo "${A-unset}"')).output).toBe("/\nunset\n");
    await run(shell, shell, "export A=again");
    expect((await run(shell, `${shell} 2`, 'echo "${A-unset}"')).output).toBe("unset\n");
  };
  await Promise.all(shells.map(check));
});

// A command, and what V is afterwards; "old" before it.
const endings: readonly (readonly [string, string])[] = [
  ["export V=exit; exit 5", "exit"],
  ["set -e; export V=errexit; false; echo no", "errexit"],
  ["export V=trap; trap 'echo bye $?' EXIT; exit 4", "trap"],
  ["export V=trap; trap 'exit 9' EXIT INT; (exit 5)", "trap"],
  ["trap 'echo user' EXIT; trap - EXIT; export V=reset", "reset"],
  ["(trap 'echo sub' EXIT; export V=sub); echo hi", "old"],
  ["export V=before; set -u; echo $nope", "before"],
  ["export V=killed; kill -9 $$", "old"],
  ["export V=exec; exec true", "old"],
  [") export V=syntax", "old"],
  ["export V=comment # it's a \"comment", "comment"],
  ["export V=backslash \\", "backslash"],
  ["export V=heredoc; cat <<X\n$V 'text\nX", "heredoc"],
  ["export V=unended; cat <<'X'\n$V", "unended"],
  ["sleep 0.05 & export V=job; wait; echo $?", "job"],
  ["set -C; umask 777; export V=umask", "umask"],
  ["set -a; V=all", "all"],
  ["exec >/dev/null 2>&1 <&-; export V=closed", "closed"],
  ["PATH=/nonexistent; export V=path", "path"],
  ["read -r line; export V=${line:-none}", "none"],
];

const traces = "env | grep -i 'holdfast_prelude\\|__holdfast\\|^BASH_ENV=\\|^ZDOTDIR=' || true";

async function checkEnding(
  { run }: ShellHome,
  shell: string,
  command: string,
  expected: string,
): Promise<void> {
  const session = `${shell}: ${command}`;
  await run(shell, session, "export V=old");
  const inSession = await run(shell, session, command);
  const plain = await run(shell, session, command, { shell: undefined, environment: { set: { V: "old" } } });
  expect(inSession.process.exit, session).toEqual(plain.process.exit);
  // sh reads the prelude in a line before the command's first.
  expect(inSession.output.replace(/^(\S*dash): 2:/gm, "$1: 1:"), session).toBe(plain.output);
  const { output } = await run(shell, session, `PATH=/usr/bin:/bin; echo "$V"; ${traces}`);
  expect(output, session).toBe(`${expected}\n`);
}

test("no way to end a command breaks its session, or is changed by it", async () => {
  const home = await openShellHome();
  expect.hasAssertions();
  for (const shell of shells)
    await Promise.all(endings.map(([command, expected]) => checkEnding(home, shell, command, expected)));
}, 60_000);

const value = fc.oneof(
  fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
  fc.constantFrom(
    "",
    "\n",
    "a\n",
    "'",
    '"',
    "\\",
    "$(exit 1)`x`",
    "=",
    "A=1\nB=2",
    "end",
    "é\u{1F600}",
    "x".repeat(100_000),
  ),
);
const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/).map((text) => `v${text}`);

async function checkValues(
  { run }: ShellHome,
  shell: string,
  variables: Record<string, string>,
): Promise<void> {
  const set = Object.fromEntries(Object.entries(variables).map(([key, text]) => [`in_${key}`, text]));
  const names = Object.keys(variables);
  await run(shell, shell, names.map((key) => `export ${key}="$in_${key}"`).join("\n"), {
    environment: { set },
  });
  const hashes = names.map((key) => `printf %s "$${key}" | sha256sum`).join("\n");
  // What was given to one command alone is not the session's.
  const { output } = await run(shell, shell, `${hashes}\nenv | grep ^in_ || true`);
  const hashOf = (text = ""): string => `${createHash("sha256").update(text).digest("hex")}  -\n`;
  expect(output).toBe(names.map((key) => hashOf(variables[key])).join(""));
}

test("any name and any value comes back as it was, also bytes that are no text", async () => {
  const home = await openShellHome();
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, value, { minKeys: 1, maxKeys: 6 }), async (variables) => {
      await Promise.all(shells.map((shell) => checkValues(home, shell, variables)));
    }),
    { numRuns: 8 },
  );
  for (const shell of shells) {
    await home.run(shell, shell, "export BYTES=\"$(printf 'a\\377\\200\\n\\376z')\"");
    const { output } = await home.run(shell, shell, 'printf %s "$BYTES" | od -An -tx1');
    expect(output.trim(), shell).toBe("61 ff 80 0a fe 7a");
  }
}, 60_000);
