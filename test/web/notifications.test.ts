// Notices in the dashboard: as toasts, as notifications of the browser, in the list; acknowledged, delivered again.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { dashboardHome } from "../support/dashboard.ts";
import { newTestHome } from "../support/test-home.ts";
import { openWebhookReceiver, status } from "../support/webhook-receiver.ts";

const home = dashboardHome();

function messages(page: Page) {
  return page.getByRole("log", { name: "Messages" });
}

test("notices come as toasts and in the list; a person acknowledges them; text of a process stays text", async () => {
  const { dashboard, client, start } = home();
  const page = await dashboard.page("/notifications");
  await page.getByText("Nothing here").waitFor();
  const hostile = "<img src=x onerror=alert(1)>";
  const id = await start(`echo '${hostile}'; exit 1`, { name: "job", notify: "end" });
  const toast = messages(page).getByRole("link", { name: "job failed with code 1" });
  await toast.waitFor();
  await page.getByRole("button", { name: /process: ended/ }).click();
  await page.locator("pre").getByText(hostile).first().waitFor();
  expect(await page.locator("img").count()).toBe(0);
  await page.getByRole("button", { name: "Acknowledge: job failed with code 1" }).click();
  await page.getByText("Nothing here").waitFor();
  const { notices } = await client.notifications.list({ states: ["acknowledged"] });
  expect(notices).toMatchObject([{ kind: "process.ended" }]);
  // The toast of a failure stays, and leads to its process without loading the page anew.
  let loads = 0;
  page.on("load", () => (loads += 1));
  await toast.click();
  await page.getByRole("heading", { name: "job" }).waitFor();
  expect(page.url()).toBe(`${dashboard.origin}/processes/${id}`);
  expect(loads).toBe(0);
});

test("what is acknowledged elsewhere is no longer unread on a page that is open, nor is what is owed again read", async () => {
  const { dashboard, client, start } = home();
  await start("exit 2", { name: "settled", notify: "end" });
  const page = await dashboard.page("/");
  await page.getByRole("link", { name: "Unread notices 1" }).waitFor();
  const { notices } = await client.notifications.list({ states: ["pending"] });
  await client.notifications.acknowledge({ notices: notices.map(({ id }) => id) });
  await page.getByRole("link", { name: "Unread notices 0" }).click();
  await page.getByText("Nothing here").waitFor();
  for (const { id: notice } of notices) await client.notifications.replay({ notice });
  await page.getByRole("button", { name: "Acknowledge: settled failed with code 2" }).click();
  await page.getByText("Nothing here").waitFor();
  expect((await client.notifications.list({ states: ["pending"] })).notices).toEqual([]);
});

test("of how a process goes on only the newest is unread, and nothing once it has ended", async () => {
  const { dashboard, start, client } = home();
  const page = await dashboard.page("/notifications");
  const id = await start("while ! [ -e done ]; do sleep 0.1; done", {
    name: "long",
    kind: "job",
    progress: { everyMs: 1_000 },
  });
  const unread = page.getByRole("button", { name: /^Acknowledge: long/ });
  await messages(page).getByText("long still runs").nth(1).waitFor();
  expect(await unread.count()).toBe(1);
  await client.process.stop({ ids: [id] });
  const end = page.getByRole("button", { name: /^Acknowledge: long ended by SIGTERM/ });
  await end.waitFor();
  expect(await unread.count()).toBe(1);
  await end.click();
  await page.getByText("Nothing here").waitFor();
});

interface Shown {
  readonly title: string;
  readonly body: string | undefined;
  readonly tag: string | undefined;
  readonly notification: Notification;
}

/** Runs in the page before its scripts: remembers what is shown, and lets the page take itself for hidden when told so. */
function rememberNotifications(): void {
  const shown: Shown[] = [];
  const Original = Notification;
  class Remembered extends Original {
    constructor(title: string, options: NotificationOptions = {}) {
      if ("isRefusing" in globalThis) throw new TypeError("Illegal constructor");
      super(title, options);
      shown.push({ title, body: options.body, tag: options.tag, notification: this });
    }
  }
  Object.assign(globalThis, { Notification: Remembered, shown });
  Object.defineProperty(document, "hidden", { get: () => "isAway" in globalThis });
}

type Remembering = typeof globalThis & { shown: Shown[] };

test("notifications of the browser: asked for by a person, shown while the page is not looked at, and lead to the process", async () => {
  const { dashboard, start } = home();
  const page = await dashboard.page("/notifications");
  await page.addInitScript(rememberNotifications);
  await page.reload();
  const context = page.context();
  await context.grantPermissions(["notifications"]);
  await page.reload();
  await page.getByText("Nothing here").waitFor();
  // With leave there is nothing to ask for.
  expect(await page.getByRole("button", { name: "Notify in the browser" }).count()).toBe(0);
  const bodies = async (): Promise<(string | undefined)[]> =>
    await page.evaluate(() => (globalThis as unknown as Remembering).shown.map(({ body }) => body)); // made above
  await start("exit 5", { name: "looked-at", notify: "end" });
  await messages(page).getByText("looked-at failed with code 5").waitFor();
  expect(await bodies()).toEqual([]);
  await page.evaluate(() => Object.assign(globalThis, { isAway: true }));
  const id = await start("exit 6", { name: "unseen", notify: "end" });
  await messages(page).getByText("unseen failed with code 6").waitFor();
  expect(await bodies()).toEqual(["unseen failed with code 6"]);
  // A browser that shows none after all costs nothing else.
  await page.evaluate(() => Object.assign(globalThis, { isRefusing: true }));
  for (const name of ["refused-1", "refused-2"]) {
    await start("exit 6", { name, notify: "end" });
    await messages(page).getByText(`${name} failed with code 6`).waitFor();
  }
  await page.evaluate(() => {
    const [first] = (globalThis as unknown as Remembering).shown; // made above
    first?.notification.dispatchEvent(new Event("click"));
  });
  await page.waitForURL(`${dashboard.origin}/processes/${id}`);
});

test("what a sink did not take is listed, and delivered again on request", async () => {
  const { dashboard, client, start } = home();
  const receiver = await openWebhookReceiver();
  receiver.answerWith(status(500), status(500));
  const secret = join(newTestHome(), "secret");
  writeFileSync(secret, `whsec_${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  const hook = {
    kind: "webhook",
    url: receiver.url,
    secretFiles: [secret],
    allowHosts: ["127.0.0.1"],
    scheduleMs: [10],
  };
  await client.config.set({ key: "sinks", value: { hook } });
  await start("exit 7", { name: "undelivered", notify: "end" });
  const given = async (): Promise<number> => (await client.notifications.dead()).deliveries.length;
  await expect.poll(given, { timeout: 20_000 }).toBe(1);
  const page = await dashboard.page("/notifications");
  const panel = page.getByRole("region", { name: "Not delivered" });
  await panel.getByText("hook, 2 tries").waitFor();
  await panel.getByRole("button", { name: "Deliver again" }).click();
  await panel.waitFor({ state: "detached" });
  await expect.poll(() => receiver.calls.length, { timeout: 20_000 }).toBe(3);
});
