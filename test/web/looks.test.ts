// Every page in every look: both themes, phone width, nothing serious for axe; and what a page shows when there is nothing, nothing yet, or
// nothing to be had.
import type { Locator, Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { seriousFindings } from "../support/axe.ts";
import { dashboardHome } from "../support/dashboard.ts";

const home = dashboardHome();
const untilMs = { timeout: 20_000 };

interface Look {
  readonly theme?: "dark";
  readonly width?: number;
}

const looks: readonly Look[] = [{}, { theme: "dark" }, { width: 390 }];

/** An address, and what is there when it is ready. */
type Place = readonly [path: string, ready: (page: Page) => Locator];

/** What is wrong with how a page looks now. */
async function faultsOf(page: Page): Promise<string[]> {
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return [...(await seriousFindings(page)), ...(overhang > 0 ? [`${overhang} px stick out`] : [])];
}

async function visit(places: readonly Place[], look: Look): Promise<string[]> {
  const { dashboard } = home();
  const page = await dashboard.page("/", look);
  const faults: string[] = [];
  for (const [path, ready] of places) {
    await page.goto(dashboard.origin + path);
    await ready(page).first().waitFor();
    faults.push(...(await faultsOf(page)).map((fault) => `${path} ${JSON.stringify(look)} ${fault}`));
  }
  return faults;
}

const emptyPlaces: readonly Place[] = [
  ["/", (page) => page.getByText("Nothing runs")],
  ["/processes", (page) => page.getByText("No processes yet")],
  ["/terminals", (page) => page.getByText("No terminal is open")],
  ["/notifications", (page) => page.getByText("Nothing here")],
  ["/nowhere", (page) => page.getByText("There is no such page")],
];

test("a home with nothing in it: every page says so, and what to do", async () => {
  expect(await visit(emptyPlaces, { theme: "dark", width: 390 })).toEqual([]);
});

async function fill(): Promise<readonly Place[]> {
  const { daemon, client, start } = home();
  const watches = [{ kind: "text", text: "red", from: "start" } as const];
  const print = String.raw`printf '\033[31mred\033[0m \033[32mgreen\033[0m\n'; echo oops >&2; sleep 1000`;
  const id = await start(print, {
    name: "looked-at",
    stdin: "open",
    owner: { session: "s-1" },
    labels: { tier: "front" },
    watches,
  });
  await start("exit 4", { name: "failed", notify: "end" });
  const asking = `printf 'Overwrite? '; read answer`;
  const terminal = await start(asking, { name: "asking", mode: "pty", watches: [{ kind: "input" }] });
  const rules = [{ name: "touching", command: "touch ...", decision: "ask" }];
  await client.config.set({ key: "policy.profiles", value: { default: { rules } } });
  // Answered by the end of the home.
  void daemon.call("process.start", { command: ["touch", "/dev/null"], cwd: "/" }).catch(() => undefined);
  const tab = (name: string, text: string | RegExp): Place => [
    `/processes/${id}?tab=${name}`,
    (page) => page.getByRole("tabpanel").getByText(text),
  ];
  return [
    ["/", (page) => page.getByText("Overwrite?")],
    ["/", (page) => page.getByRole("button", { name: "Allow once" })],
    ["/processes", (page) => page.getByRole("row").filter({ hasText: "looked-at" }).getByText("oops")],
    [`/processes/${id}`, (page) => page.getByText("oops")],
    tab("tree", "sleep 1000"),
    tab("details", "tier=front"),
    tab("environment", "PATH"),
    tab("watches", "a line with “red”"),
    tab("notices", "matched a watch"),
    [`/processes/${terminal}/replay`, (page) => page.getByRole("slider")],
    [`/terminals?open=${terminal}`, (page) => page.getByRole("button", { name: "Take keyboard" })],
    ["/notifications", (page) => page.getByText("failed with code 4")],
  ];
}

let places: readonly Place[] | undefined;

test.each(looks)(
  "every page with something on it: nothing serious for axe, nothing that sticks out: %j",
  async (look) => {
    places ??= await fill();
    expect(await visit(places, look)).toEqual([]);
  },
  // A dozen pages, each looked through whole.
  120_000,
);

test("while an answer is not there yet, its place is kept and said to be loading", async () => {
  const { dashboard, start } = home();
  const id = await start("echo here; sleep 1000", { name: "late" });
  await start("exit 9", { name: "noticed", notify: "end" });
  const page = await dashboard.page("/nowhere");
  const held: Route[] = [];
  let isHeld = true;
  await page.route(/\/v1\/(process\.(list|get)|notifications\.list)$/, async (route) => {
    if (isHeld) held.push(route);
    else await route.continue();
  });
  const pages = [
    ["/processes", "Loading processes", "late"],
    [`/processes/${id}`, "Loading the process", "here"],
    ["/notifications", "Loading", "noticed failed with code 9"],
    ["/", "Loading", "late"],
  ] as const;
  for (const [path, label, then] of pages) {
    isHeld = true;
    await page.goto(dashboard.origin + path);
    await page.getByRole("status", { name: label }).first().waitFor();
    expect(await faultsOf(page), path).toEqual([]);
    isHeld = false;
    for (const route of held.splice(0)) await route.continue();
    await page.getByText(then).first().waitFor();
    await expect.poll(() => page.getByRole("status", { name: label }).count(), untilMs).toBe(0);
  }
});

test("what cannot be had is said, with a way on", async () => {
  const { dashboard } = home();
  const page = await dashboard.page("/processes/p_222222222222");
  await page.getByRole("alert").getByText("There is no process").waitFor();
  expect(await faultsOf(page), "no such process").toEqual([]);
  await page.getByRole("main").getByRole("link", { name: "All processes" }).click();
  await page.getByRole("heading", { name: "Processes" }).waitFor();
  await page.goto(`${dashboard.origin}/processes/p_222222222222/replay`);
  await page.getByRole("alert").getByText("There is no process").waitFor();
  expect(await faultsOf(page), "no such recording").toEqual([]);
  // A page whose script does not come: the frame stays, and trying again helps.
  await page.goto(`${dashboard.origin}/nowhere`);
  await page.route(/\/assets\/Notifications-/, (route) => route.abort());
  await page.getByRole("link", { name: "Notifications" }).click();
  await page.getByRole("alert").waitFor();
  expect(await faultsOf(page), "a page that did not load").toEqual([]);
  await page.unroute(/\/assets\/Notifications-/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Notifications" }).waitFor();
});
