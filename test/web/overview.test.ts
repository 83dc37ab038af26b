// What a person sees first: what runs, what waits for them, what ended badly; and that the page follows by itself.
import { expect, test } from "vitest";
import { openDaemonHome } from "../support/daemon-home.ts";
import { startDashboard } from "../support/dashboard.ts";
import { seriousFindings } from "../support/axe.ts";

test("the overview follows processes through a kill of the daemon, without a reload", async () => {
  const daemon = await openDaemonHome();
  const dashboard = await startDashboard(daemon);
  await daemon.call("process.start", { command: "exec sleep 1000", name: "long", cwd: "/" });
  const page = await dashboard.page("/");
  const running = page.getByRole("region", { name: "Running" });
  await running.getByText("exec sleep 1000").waitFor();
  expect(await seriousFindings(page)).toEqual([]);

  await daemon.call("process.start", { command: "exit 3", name: "broken", cwd: "/" });
  const failed = page.getByRole("region", { name: "Ended badly" });
  await failed.getByText("failed with code 3").waitFor();

  await daemon.kill();
  await page.getByText("The connection to the daemon is lost").waitFor();
  await daemon.start();
  await page.getByText("The connection to the daemon is lost").waitFor({ state: "detached" });
  await daemon.call("process.start", { command: "exit 4", name: "later", cwd: "/" });
  await failed.getByText("failed with code 4").waitFor();
});

test("a command that waits for approval is answered in the dashboard", async () => {
  const daemon = await openDaemonHome();
  const dashboard = await startDashboard(daemon);
  const rules = [{ name: "touching", command: "touch ...", decision: "ask" }];
  await daemon.call("config.set", { key: "policy.profiles", value: { default: { rules } } });
  const page = await dashboard.page("/", { theme: "dark" });
  await page.getByRole("region", { name: "Running" }).waitFor();
  const asked = daemon.call("process.start", {
    command: ["touch", "/dev/null"],
    cwd: "/",
    owner: { session: "agent" },
  });
  const waits = page.getByRole("region", { name: "Waits for you" });
  await waits.getByText("touch /dev/null").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await waits.getByRole("button", { name: "Allow once" }).click();
  expect((await asked).status).toBe(200);
  await waits.waitFor({ state: "detached" });
});

test("notices come as toasts and in the list; a person acknowledges them; text of a process stays text", async () => {
  const daemon = await openDaemonHome();
  const dashboard = await startDashboard(daemon);
  const page = await dashboard.page("/notifications", { width: 390 });
  await page.getByText("Nothing here").waitFor();
  const hostile = "<img src=x onerror=alert(1)>";
  const command = `echo '${hostile}'; exit 1`;
  await daemon.call("process.start", { command, name: "job", cwd: "/", notify: "end" });
  await page.getByRole("log", { name: "Messages" }).getByText("job failed with code 1").waitFor();
  await page.getByRole("button", { name: /process: ended/ }).click();
  await page.locator("pre").getByText(hostile).first().waitFor();
  expect(await page.locator("img").count()).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Acknowledge: job failed with code 1" }).click();
  await page.getByText("Nothing here").waitFor();
  const { body } = await daemon.call("notifications.list", { states: ["acknowledged"] });
  expect(body).toMatchObject({ notices: [{ kind: "process.ended" }] });
});

test("a browser the daemon no longer knows shows the sign-in hint once, and asks nothing again by itself", async () => {
  const daemon = await openDaemonHome();
  const dashboard = await startDashboard(daemon);
  const page = await dashboard.page("/processes");
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
  await page.waitForURL(`${dashboard.origin}/login?next=%2Fprocesses`);
});
