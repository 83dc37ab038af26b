// Children of agents get an environment without credentials, whichever way they are started.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ProcessDetail, StartOutput } from "../../src/protocol/process.ts";
import { openCliHome } from "../support/cli-home.ts";
import { ask, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome, sharedDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { filesHolding } from "../support/files-holding.ts";
import { newTestHome } from "../support/test-home.ts";

const shared = await sharedDaemonHome();

const caller = { PATH: "/usr/sbin:/usr/bin:/bin", GH_TOKEN: "value-of-gh", EDITOR: "vi" };

/** What `env` prints, by name. */
async function environmentOf(daemon: DaemonHome, id: string): Promise<Record<string, string>> {
  const { text = "" } = await ask(daemon, "process.output", { id });
  const lines = text.split(/\r?\n/).filter((line) => line.includes("="));
  const entries = lines.map((line): [string, string] => {
    const at = line.indexOf("=");
    return [line.slice(0, at), line.slice(at + 1)];
  });
  return Object.fromEntries(entries);
}

test("a session's command lacks credentials, a person's has them, and naming one passes it", async () => {
  const daemon = shared;
  const start = (owner: object, environment: object = {}) =>
    runToEnd(daemon, "exec env", { owner, environment: { caller, ...environment } });
  expect(await environmentOf(daemon, await start({}))).toMatchObject({ GH_TOKEN: "value-of-gh" });
  const filtered = await environmentOf(daemon, await start({ session: "s" }));
  expect(filtered).toMatchObject({ EDITOR: "vi" });
  expect(filtered).not.toHaveProperty("GH_TOKEN");
  expect(await environmentOf(daemon, await start({ task: "t" }))).not.toHaveProperty("GH_TOKEN");
  expect(await environmentOf(daemon, await start({ session: "s" }, { pass: ["GH_TOKEN"] }))).toMatchObject({
    GH_TOKEN: "value-of-gh",
  });
  expect(await environmentOf(daemon, await start({ session: "s" }, { policy: "caller" }))).toMatchObject({
    GH_TOKEN: "value-of-gh",
  });
  expect(
    await environmentOf(daemon, await start({ session: "s" }, { set: { GH_TOKEN: "set" } })),
  ).toMatchObject({ GH_TOKEN: "set" });
});

test("a terminal gets exactly its list", async () => {
  const daemon = shared;
  const { id, notes } = await ask(daemon, "process.start", {
    command: ["/usr/bin/env"],
    cwd: "/usr",
    mode: "pty",
    columns: 91,
    rows: 33,
    environment: { caller: { ...caller, LANG: "C.UTF-8", HOME: "/" }, policy: "terminal" },
  });
  await ask(daemon, "process.wait", { ids: [id] });
  const { HOLDFAST_RUN: run, ...rest } = await environmentOf(daemon, id);
  expect(run).toContain(id);
  expect(rest).toEqual({
    PATH: caller.PATH,
    HOME: "/",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    COLUMNS: "91",
    LINES: "33",
    PWD: "/usr",
    HOLDFAST_TERMINAL: "1",
  });
  expect(notes.join("\n")).toContain("EDITOR, GH_TOKEN");
});

test("what the login shell exports is filtered for a session over HTTP, and configuration changes count at once", async () => {
  const userHome = newTestHome();
  writeFileSync(join(userHome, ".profile"), "export NPM_TOKEN=value-of-npm CORP_NAME=acme PATH=/opt/x:$PATH");
  const daemon = await openDaemonHome({ environment: { HOME: userHome, SHELL: "/bin/sh" } });
  const seen = async (): Promise<Record<string, string>> =>
    await environmentOf(daemon, await runToEnd(daemon, "exec env", { owner: { session: "s" } }));
  const before = await seen();
  expect(before).toMatchObject({ CORP_NAME: "acme" });
  expect(before).not.toHaveProperty("NPM_TOKEN");
  await ask(daemon, "config.set", { key: "environment.pass", value: ["NPM_TOKEN"] });
  await ask(daemon, "config.set", { key: "environment.deny", value: ["CORP_*"] });
  const after = await seen();
  expect(after).toMatchObject({ NPM_TOKEN: "value-of-npm" });
  expect(after).not.toHaveProperty("CORP_NAME");
  const denied = await ask(daemon, "process.start", {
    command: "true",
    cwd: "/",
    owner: { session: "s" },
    environment: { pass: ["CORP_NAME"] },
  });
  expect(denied.notes.join("\n")).toMatch(/denied by the configuration: CORP_NAME/);
});

test("on the command line: withheld names are in the notes, values are nowhere", async () => {
  const cli = openCliHome();
  const secret = "value-that-is-nowhere-4711";
  const environment = { HOLDFAST_SESSION: "s", GH_TOKEN: secret, DEPLOY_KEY: `${secret}-2` };
  const script = 'echo "[$GH_TOKEN][$DEPLOY_KEY]" | wc -c';
  const filtered = await cli.json<StartOutput>(["run", "-d", "--json", "--", "sh", "-c", script], {
    environment,
  });
  expect(filtered.notes.join("\n")).toContain("DEPLOY_KEY, GH_TOKEN");
  const passed = await cli.run(["run", "--pass-env", "DEPLOY_KEY", "--", "sh", "-c", script], {
    environment,
  });
  expect(passed.stdout.trim()).toBe(String(`[][${secret}-2]\n`.length));
  const all = await cli.run(["run", "--env-policy", "caller", "--", "sh", "-c", script], { environment });
  expect(all.stdout.trim()).toBe(String(`[${secret}][${secret}-2]\n`.length));
  const cleared = await cli.run(
    ["run", "--clear-env", "--pass-env", "GH_TOKEN", "--", "/bin/sh", "-c", script],
    { environment: { ...environment, PATH: "/usr/sbin:/usr/bin:/bin" } },
  );
  expect(cleared.stdout.trim()).toBe(String(`[${secret}][]\n`.length));
  const detail = await cli.json<ProcessDetail>(["show", filtered.id, "--json"]);
  expect(detail.environmentNames).not.toContain("GH_TOKEN");
  expect(filesHolding(cli.home, secret)).toBe("");
  expect(filtered.notes.join("\n") + readFileSync(join(cli.home, "daemon.log"), "utf8")).not.toContain(
    secret,
  );
});
