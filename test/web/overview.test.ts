// What a person sees first: what runs, what waits for them, what ended badly, how the machine is; and that the page follows by itself.
import { expect, test } from "vitest";
import { dashboardHome, startDashboard } from "../support/dashboard.ts";

const home = dashboardHome();
const untilMs = { timeout: 20_000 };

test("the overview follows processes through a kill of the daemon, without a reload", async () => {
  const { daemon, dashboard, start } = home();
  await start("exec sleep 1000", { name: "long" });
  const page = await dashboard.page("/");
  const running = page.getByRole("region", { name: "Running" });
  await running.getByText("exec sleep 1000").waitFor();
  let loads = 0;
  page.on("load", () => (loads += 1));
  await start("exit 3", { name: "broken" });
  const failed = page.getByRole("region", { name: "Ended badly" });
  await failed.getByText("failed with code 3").waitFor();
  await page.getByRole("link", { name: "Ended badly 1" }).waitFor();
  const health = page.getByRole("region", { name: "Daemon" });
  await health.getByText(String(daemon.pid()), { exact: true }).waitFor();

  await daemon.kill();
  await page.getByText("The connection to the daemon is lost").waitFor();
  await daemon.start();
  // Before the page is back: it goes on where it was cut off.
  await start("exit 4", { name: "missed", notify: "end" });
  await page.getByText("The connection to the daemon is lost").waitFor({ state: "detached" });
  await failed.getByText("failed with code 4").waitFor();
  await page.getByRole("log", { name: "Messages" }).getByText("missed failed with code 4").waitFor();
  // It is another one now.
  await health.getByText(String(daemon.pid()), { exact: true }).waitFor();
  expect(loads).toBe(0);
});

test("the load of the machine and of the daemon is drawn, and told in words", async () => {
  const page = await home().dashboard.page("/");
  const machine = page.getByRole("region", { name: "Machine" });
  const range = /; between .+ and .+ in the last \d+ (ms|s)$/;
  const figures = [
    [machine, /^CPU: [\d.]+ %/],
    [machine, /^Memory: [\d.]+ [MGT]B/],
    [machine, /^Load: \d+\.\d\d/],
    [page.getByRole("region", { name: "Daemon" }), /^Longest wait: \d+ ms/],
  ] as const;
  for (const [region, figure] of figures) {
    const chart = region.getByRole("img", { name: new RegExp(figure.source + range.source) });
    await chart.waitFor();
    // A line of several samples.
    await expect
      .poll(() => chart.locator("path").last().getAttribute("d"), untilMs)
      .toMatch(/^M[\d.]+ [\d.]+L/);
  }
  await machine.getByText(/of \d+ processors?$/).waitFor();
});

test("a program that waits for input waits for a person, until somebody answers", async () => {
  const { dashboard, client, start } = home();
  const id = await start(`printf 'Overwrite <b>it</b>? '; read answer; echo "$answer"; exec sleep 1000`, {
    name: "asking",
    mode: "pty",
  });
  const page = await dashboard.page("/");
  const waits = page.getByRole("region", { name: "Waits for you" });
  const item = waits.getByRole("list", { name: "Waits for input" }).getByRole("listitem");
  await item.getByText("Overwrite <b>it</b>?").waitFor();
  await page.getByRole("link", { name: "Waits for you 1" }).click();
  expect(await item.getByRole("link", { name: "asking" }).getAttribute("href")).toBe(`/processes/${id}`);
  await client.process.write({ id, parts: [{ text: "no" }, { key: "enter" }] });
  await item.waitFor({ state: "detached" });
  await waits.getByText("Nothing waits for you.").waitFor();
});

test("a command that waits for approval is answered in the dashboard, by who may", async () => {
  const { daemon, dashboard } = home();
  const rules = [{ name: "touching", command: "touch ...", decision: "ask" }];
  await daemon.call("config.set", { key: "policy.profiles", value: { default: { rules } } });
  const page = await dashboard.page("/");
  const waits = page.getByRole("region", { name: "Waits for you" });
  await waits.getByText("Nothing waits for you.").waitFor();
  const asked = daemon.call("process.start", {
    command: ["touch", "/dev/null"],
    cwd: "/",
    owner: { session: "agent" },
  });
  await waits.getByText("touch /dev/null").waitFor();
  const onlooker = await (await startDashboard(daemon, { role: "viewer" })).page("/");
  const button = onlooker.getByRole("button", { name: "Allow once" });
  await expect.poll(() => button.isDisabled(), untilMs).toBe(true);
  expect(await button.getAttribute("title")).toBe("You are signed in as viewer; this needs operator");
  await waits.getByRole("button", { name: "Allow once" }).click();
  expect((await asked).status).toBe(200);
  await waits.getByText("Nothing waits for you.").waitFor();
  await onlooker.getByText("Nothing waits for you.").waitFor();
});

test("a browser the daemon no longer knows shows the sign-in hint once, and asks nothing again by itself", async () => {
  const { daemon, dashboard } = home();
  const page = await dashboard.page("/processes?q=alpha&state=running");
  await page.getByRole("heading", { name: "Processes" }).waitFor();
  let navigations = 0;
  let requests = 0;
  page.on("framenavigated", () => (navigations += 1));
  await page.context().clearCookies();
  await daemon.kill();
  await daemon.start();
  await page.getByRole("heading", { name: "You are signed out" }).waitFor();
  page.on("request", () => (requests += 1));
  // The subject is that nothing happens for ten seconds.
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  expect({ navigations, requests }).toEqual({ navigations: 0, requests: 0 });
  await page.getByRole("link", { name: "Sign in" }).click();
  // The way back leads to what was shown, with its filters.
  await page.waitForURL(`${dashboard.origin}/login?next=%2Fprocesses%3Fq%3Dalpha%26state%3Drunning`);
});
