// `run -d --notify` for a person: the bell of a real terminal, and a stub in the place of a desktop, of which there is none here.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { NoticeWithText } from "../../src/protocol/notices.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { cliProgram } from "../support/programs.ts";
import { openTerminal, type CliTerminal } from "../support/cli-terminal.ts";
import { openKeeperHome } from "../support/keeper-home.ts";
import { newTestHome } from "../support/test-home.ts";

const bell = "\u{7}";

interface Desktop {
  readonly directory: string;
  /** What notify-send was called with, one argument per line. */
  readonly shown: () => string[];
}

function stubDesktop(exitCode: number): Desktop {
  const directory = newTestHome();
  const file = join(directory, "shown");
  const program = join(directory, "notify-send");
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$@" "bus=$DBUS_SESSION_BUS_ADDRESS" >>${file}\nexit ${exitCode}\n`,
  );
  chmodSync(program, 0o755);
  return {
    directory,
    shown: () => (existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : []),
  };
}

async function openShell(cli: CliHome, environment: Record<string, string>): Promise<CliTerminal> {
  const keeper = await openKeeperHome();
  const shell = await openTerminal(keeper, ["/bin/bash", "--norc", "--noprofile", "-i"], {
    environment: { ...cli.environment, ...environment, PS1: "$ ", HF: `${process.execPath} ${cliProgram}` },
  });
  await shell.shows("$ ");
  return shell;
}

async function onlyNotice(cli: CliHome): Promise<NoticeWithText | undefined> {
  return (await cli.json<NoticeWithText[]>(["notifications", "list", "-a", "--json"]))[0];
}

test("the terminal rings and the desktop shows what ended, with the user's bus; then it is taken care of", async () => {
  const cli = openCliHome();
  const desktop = stubDesktop(0);
  const bus = newTestHome();
  writeFileSync(join(bus, "bus"), "");
  const shell = await openShell(cli, {
    PATH: `${desktop.directory}:${cli.environment["PATH"]}`,
    XDG_RUNTIME_DIR: bus,
  });
  expect(await shell.text()).not.toContain(bell);
  await shell.type("$HF run -d --notify sh -c 'sleep 0.3; exit 3'\r");
  await shell.shows(bell);
  await expect.poll(() => desktop.shown().length, { timeout: 10_000 }).toBeGreaterThan(3);
  const [app, end, title, command] = desktop.shown();
  expect([app, end]).toEqual(["--app-name=Holdfast", "--"]);
  expect(title).toMatch(/^Process p_\w+ ended with exit code 3 after /);
  expect(command).toBe("command: sh -c 'sleep 0.3; exit 3'");
  expect(desktop.shown().at(-1)).toBe(`bus=unix:path=${bus}/bus`);
  await expect
    .poll(async () => await onlyNotice(cli), { timeout: 20_000, interval: 500 })
    .toMatchObject({ state: "acknowledged", acknowledgedBy: "sink:desktop" });
});

test("without a desktop the bell is enough; --notify failure is quiet about a success; an agent's terminal does not ring", async () => {
  const cli = openCliHome();
  const desktop = stubDesktop(1);
  const shell = await openShell(cli, { PATH: `${desktop.directory}:${cli.environment["PATH"]}` });
  await shell.type("$HF run -d --notify failure true; $HF run -d --notify --session s1 -- false\r");
  await shell.type("$HF wait --json $($HF run -d --notify=failure false) | tr -d '\\n'; echo all-done\r");
  await shell.shows("all-done\r\n");
  await shell.shows(bell);
  await expect.poll(() => desktop.shown().length, { timeout: 10_000 }).toBeGreaterThan(0);
  const told = async (): Promise<string[]> => {
    const notices = await cli.json<NoticeWithText[]>(["notifications", "list", "-a", "--json"]);
    return notices.map(({ state, owner }) => `${state} ${owner.session ?? "nobody"}`).toSorted();
  };
  // Taken care of once the desktop has answered; and who was started first need not end first.
  await expect
    .poll(told, { timeout: 20_000, interval: 500 })
    .toEqual(["acknowledged nobody", "pending s1", "recorded nobody"]);
  expect((await shell.text()).split(bell)).toHaveLength(2);
  expect(await cli.json(["notifications", "dead", "--json"])).toMatchObject({ deliveries: [] });
});
