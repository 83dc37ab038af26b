// The page of one process in a real browser: what is told about it, and what can be done with it.
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { dashboardHome } from "../support/dashboard.ts";

const home = dashboardHome();
const untilMs = { timeout: 20_000 };

function screen(page: Page): Locator {
  return page.getByRole("region", { name: "Output of the process" });
}

function stateOf(page: Page): Locator {
  return page.getByRole("status", { name: "State" });
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name }).click();
}

async function choose(page: Page, menu: string, entry: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: menu, exact: true }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

test("what it is and how it is: command, owner, times, tree, limits, names of its environment", async () => {
  const { dashboard, client, start } = home();
  const id = await start("sleep 1001 & (sleep 1002 &); sleep 1003; exit 7", {
    name: "detailed",
    owner: { session: "s-1", task: "t-1" },
    labels: { tier: "front" },
    limits: { wallMs: 3_600_000 },
    environment: { set: { SECRET_TOKEN: "never-shown-value" } },
  });
  const page = await dashboard.page(`/processes/${id}`);
  await page.getByRole("heading", { name: "detailed" }).waitFor();
  await stateOf(page).getByText("running", { exact: true }).waitFor();
  await page.getByText("s-1", { exact: true }).waitFor();
  await openTab(page, "Tree");
  const tree = page.getByRole("table", { name: "Processes of the tree" });
  for (const command of ["sleep 1001", "sleep 1002", "sleep 1003"]) {
    await tree.getByRole("cell", { name: command, exact: true }).waitFor();
  }
  await tree.getByRole("cell", { name: "0 %" }).first().waitFor();
  await openTab(page, "Details");
  await page.getByRole("region", { name: "Limits" }).getByText("1 h 0 min").waitFor();
  await page.getByText("tier=front").waitFor();
  await openTab(page, "Environment");
  await page.getByRole("list", { name: "Environment variables" }).getByText("SECRET_TOKEN").waitFor();
  expect(await page.content()).not.toContain("never-shown-value");
  expect(new URL(page.url()).search).toBe("?tab=environment");
  await client.process.signal({ id, signal: "KILL", target: "tree" });
  await stateOf(page).getByText("ended by SIGKILL").waitFor();
});

test("watches with their hits, each a link to its line; notices as they come", async () => {
  const { dashboard, start } = home();
  const id = await start("seq 1 5000; read line; echo READY again", {
    stdin: "open",
    watches: [{ kind: "text", text: "2500", from: "start" }],
    notify: "end",
  });
  const page = await dashboard.page(`/processes/${id}?tab=watches`);
  await page.getByRole("button", { name: "a line with “2500”" }).click();
  await page.getByRole("list", { name: "Hits" }).getByRole("link", { name: /2500$/ }).click();
  const hit = screen(page)
    .locator("[data-offset]")
    .filter({ hasText: /^2500$/ });
  await hit.waitFor();
  await expect.poll(() => hit.getAttribute("class"), untilMs).toContain("bg-warn-soft");
  await openTab(page, "Notices");
  await page.getByRole("list", { name: "Notices" }).getByText("matched a watch").waitFor();
  await openTab(page, "Output");
  await page.getByRole("textbox", { name: "Input for the process" }).fill("go");
  await page.keyboard.press("Enter");
  await stateOf(page).getByText("succeeded").waitFor();
  await openTab(page, "Notices");
  await page.getByRole("list", { name: "Notices" }).getByText("succeeded").waitFor();
});

test("input: a line, a key, a pasted text, and its end after a question", async () => {
  const { dashboard, start } = home();
  const id = await start(["cat"], { stdin: "open", name: "echoing" });
  const page = await dashboard.page(`/processes/${id}`);
  const input = page.getByRole("textbox", { name: "Input for the process" });
  await input.fill("typed <b>line</b>");
  await input.press("Enter");
  await screen(page).getByText("typed <b>line</b>").waitFor();
  // Emptied when it is known to have been taken; what it brought about may be shown before.
  await expect.poll(() => input.inputValue(), untilMs).toBe("");
  await page.getByRole("button", { name: "Paste text" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("first pasted\nsecond pasted\n");
  await page.getByRole("button", { name: "Paste", exact: true }).click();
  await screen(page).getByText("second pasted").waitFor();
  await choose(page, "Send a key", "tab");
  await choose(page, "Send a key", "enter");
  await page.getByRole("button", { name: "Close input" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Close input" }).click();
  await stateOf(page).getByText("succeeded").waitFor();
  await input.waitFor({ state: "detached" });
});

test("signals: what may end it is asked about, others are sent at once", async () => {
  const { dashboard, client, start } = home();
  const command = "trap 'echo caught' USR1; echo listens; while :; do sleep 0.05; done";
  const id = await start(command, { name: "signalled" });
  const page = await dashboard.page(`/processes/${id}`);
  await screen(page).getByText("listens").waitFor();
  await choose(page, "Signal", "SIGUSR1");
  await page
    .getByRole("alertdialog", { name: "Send SIGUSR1?" })
    .getByRole("button", { name: "Send SIGUSR1" })
    .click();
  await screen(page).getByText("caught").waitFor();
  await choose(page, "Signal", "SIGSTOP");
  await page.getByText("SIGSTOP sent to 1 process").waitFor();
  const states = async (): Promise<string | undefined> =>
    (await client.process.tree({ id })).processes.find(({ depth }) => depth === 0)?.state;
  await expect.poll(states, untilMs).toBe("stopped");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop" }).click();
  await stateOf(page)
    .getByText(/ended by SIG(TERM|KILL), stopped on request/)
    .waitFor();
  const signal = page.getByRole("button", { name: "Signal", exact: true });
  await expect.poll(() => signal.getAttribute("title"), untilMs).toBe("It has ended");
  expect(await signal.isDisabled()).toBe(true);
});

test("restart as new repeats what is known and says what is not; rename; remove", async () => {
  const { dashboard, client, start } = home();
  const id = await start("echo run in $PWD", {
    name: "again",
    cwd: "/tmp",
    labels: { tier: "back" },
    environment: { set: { ONLY_ONCE: "x" } },
  });
  await client.process.wait({ ids: [id] });
  const page = await dashboard.page(`/processes/${id}`);
  await choose(page, "More actions", "Restart as new…");
  const dialog = page.getByRole("dialog", { name: "Restart as new" });
  await dialog.getByText("Values of environment variables are never stored").waitFor();
  await dialog.getByRole("button", { name: "Start again" }).click();
  await page.getByText("Without the variables ONLY_ONCE").waitFor();
  await page.waitForURL((address) => !address.pathname.endsWith(id));
  await screen(page).getByText("run in /tmp").waitFor();
  const [second] = (await client.process.list({ labels: { tier: "back" } })).processes;
  expect(second).toMatchObject({ name: "again", command: "echo run in $PWD", cwd: "/tmp" });
  expect(page.url()).toContain(second?.id ?? "no second");
  await choose(page, "More actions", "Rename…");
  await page.getByLabel("Name; empty for none").fill("third");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("heading", { name: "third" }).waitFor();
  await choose(page, "More actions", "Remove…");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("1 process removed").waitFor();
  await page.getByText("There is no process").waitFor();
});

test("a terminal that is restarted as new leaves the key to the one that has it by now", async () => {
  const { dashboard, client } = home();
  const open = { key: "dup", cwd: "/tmp", shell: "/bin/sh" };
  const { process: first } = await client.terminal.open(open);
  const { process: second } = await client.terminal.open({ ...open, restart: true });
  const page = await dashboard.page(`/processes/${first.id}`);
  await choose(page, "More actions", "Restart as new…");
  await page.getByRole("dialog").getByText("A new terminal runs this in /tmp.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Start again" }).click();
  await page.waitForURL((address) => !address.pathname.endsWith(first.id));
  const { terminals } = await client.terminal.list({});
  expect(terminals).toHaveLength(2);
  expect(terminals.filter(({ key }) => key === "dup").map(({ process }) => process.id)).toEqual([second.id]);
});

test("a process in a terminal leads to the terminal; an address of nothing says so", async () => {
  const { dashboard, start } = home();
  const id = await start(["sh"], { mode: "pty", name: "shell" });
  const page = await dashboard.page(`/processes/${id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  expect(await page.getByRole("menuitem", { name: "Replay" }).getAttribute("aria-disabled")).toBeNull();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Open as terminal" }).click();
  await page.getByRole("heading", { name: "Terminals" }).waitFor();
  const nothing = await dashboard.page("/processes/p_222222222222");
  await nothing.getByRole("alert").getByText("There is no process").waitFor();
});
