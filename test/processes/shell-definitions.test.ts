// Functions and aliases of the user's shell, in commands of a session.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openShellHome } from "../support/shell-session.ts";

// As a person's files are: most of it for an interactive shell only, with noise, and much more than any command needs.
const bulk = Array.from(
  { length: 1_500 },
  (_, at) => `bulk_${at}() { echo "this is function number ${at}, with ${"x".repeat(60)}"; }`,
);
const definitions = `
echo "Welcome back"
greet() { local who=\${1:-nobody}; shout "hello $who"; }
shout() { printf '%s!\\n' "$1"; }
enter() { cd /usr && export ENTERED=1; }
alias hi='greet there'
alias up='cd ..'
${bulk.join("\n")}
`;

function startupFiles(home: string): void {
  writeFileSync(
    join(home, ".bashrc"),
    `case $- in *i*) ;; *) return ;; esac\nshopt -s extglob\nis_digits() { [[ $1 == +([0-9]) ]]; }\n${definitions}`,
  );
  writeFileSync(join(home, ".bash_profile"), ". ~/.bashrc\n");
  writeFileSync(join(home, ".zshrc"), definitions);
  writeFileSync(join(home, ".zshenv"), 'export PATH="/from/zshenv:$PATH"\nset_by_zshenv=1\n');
  writeFileSync(join(home, ".profile"), "alias hi='echo hello there!'\nalias up='cd ..'\n");
}

test("they are there, in the shell itself, with all they need", async () => {
  const { run } = await openShellHome({ prepare: startupFiles });
  for (const shell of ["/bin/bash", "/usr/bin/zsh"]) {
    expect((await run(shell, shell, "hi; greet you")).output, shell).toBe("hello there!\nhello you!\n");
    expect((await run(shell, shell, "enter; echo $PWD")).output, shell).toBe("/usr\n");
    expect((await run(shell, shell, "echo $PWD $ENTERED; up; pwd")).output, shell).toBe("/usr 1\n/\n");
    // Names that only come up while the command runs.
    expect((await run(shell, shell, "x=gre; ${x}et dynamic; y=bulk_7; $y")).output, shell).toMatch(
      /^hello dynamic!\nthis is function number 7,/,
    );
    const missing = await run(shell, shell, "no_such_command_at_all");
    expect(missing, shell).toMatchObject({
      code: 127,
      output: expect.stringContaining("not found") as string,
    });
    // A command that names none gets none.
    expect((await run(shell, shell, `typeset -f | grep -c '^bulk_' || true`)).output, shell).toBe("0\n");
  }
  expect((await run("/bin/bash", "b", "is_digits 123 && echo yes")).output).toBe("yes\n");
  expect((await run("/bin/dash", "d", "hi; up; pwd", { cwd: "/usr" })).output).toBe("hello there!\n/\n");
});

test("what a start-up file adds to PATH is added once, and the user's own files are still read", async () => {
  const { run, userHome } = await openShellHome({
    prepare: (home) => {
      startupFiles(home);
      writeFileSync(join(home, "bash_env"), 'export PATH="/from/bash_env:$PATH"\nset_by_file=1\n');
    },
  });
  const count = (name: string): string =>
    `echo "$PATH" | tr : '\\n' | grep -c '^${name}$'; echo "$set_by_file$set_by_zshenv"`;
  for (let at = 0; at < 3; at++) {
    expect((await run("/usr/bin/zsh", "z", `export N${at}=1; ${count("/from/zshenv")}`)).output).toBe(
      "1\n1\n",
    );
    const set = { BASH_ENV: join(userHome, "bash_env") };
    const inBash = await run("/bin/bash", "b", `export N${at}=1; ${count("/from/bash_env")}`, {
      environment: { set },
    });
    expect(inBash.output).toBe("1\n1\n");
  }
});

test("without them, if the configuration says so", async () => {
  const { run } = await openShellHome({
    prepare: startupFiles,
    environment: { HOLDFAST_SHELL_DEFINITIONS: "false" },
  });
  expect((await run("/bin/bash", "s", "greet you")).code).toBe(127);
});
