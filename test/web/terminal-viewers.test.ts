// Several who look at one terminal, and several terminals one looks at, one of which floods.
import { expect, test } from "vitest";
import { dashboardHome } from "../support/dashboard.ts";
import {
  askForShell,
  openShell,
  pane,
  shellPage,
  sizeOf,
  takeKeyboard,
  untilRow,
  untilRows,
  untilTypistFits,
} from "../support/web-terminal.ts";

const home = dashboardHome();
const soon = { timeout: 20_000 };

test("two viewers of different size: one types and gives the size, the other sees it and who it is, and may take over", async () => {
  const { client, dashboard } = home();
  const { page: first, id } = await shellPage(home(), { key: "two" });
  const second = await dashboard.page(`/terminals?open=${id}`, { width: 800, height: 500 });
  await untilRow(second, "ready");
  const [typist] = (await client.views.list({ id })).views.filter(({ keyboard }) => keyboard);
  await pane(second).getByText(`${typist?.name} types · 2 viewers`).waitFor();
  await pane(first).getByText("You type · 2 viewers").waitFor();
  const inForce = await sizeOf(first);
  await expect.poll(() => sizeOf(second), soon).toEqual(inForce);
  await first.keyboard.type("echo from the first\n");
  await untilRow(second, "from the first");

  // The other neither types nor gives the size, until it takes the keyboard.
  await second.locator(".xterm-helper-textarea").focus();
  await second.keyboard.type("echo not typed\n");
  const windowOf = async (viewer: string | undefined): Promise<number | undefined> =>
    (await client.views.list({ id })).views.find(
      (view) => (view.id === typist?.id) === (viewer === typist?.id),
    )?.rows;
  const low = await windowOf(undefined);
  await second.setViewportSize({ width: 800, height: 400 });
  await expect.poll(() => windowOf(undefined), soon).toBeLessThan(low ?? 0);
  await first.keyboard.type("stty size\n");
  const seen = await untilRow(second, `${inForce.rows} ${inForce.columns}`);
  expect(seen).not.toContain("not typed");
  expect(await sizeOf(second)).toEqual(inForce);

  await takeKeyboard(second);
  const [taker] = (await client.views.list({ id })).views.filter(({ keyboard }) => keyboard);
  await pane(first).getByText(`${taker?.name} types · 2 viewers`).waitFor();
  for (const page of [first, second]) await untilTypistFits(client, page, id);
  const smaller = await sizeOf(second);
  expect(smaller).not.toEqual(inForce);
  await expect.poll(() => sizeOf(first), soon).toEqual(smaller);
  const wide = await windowOf(typist?.id);
  await first.setViewportSize({ width: 1280, height: 700 });
  await expect.poll(() => windowOf(typist?.id), soon).toBeLessThan(wide ?? 0);
  await second.keyboard.type("clear; stty size\n");
  const answer = [`${smaller.rows} ${smaller.columns}`, ">"].join("\n");
  for (const page of [first, second])
    await untilRows(page, (rows) => rows.join("\n") === answer, "the size of the second");

  // On a phone as well one sees what it is and who types.
  await first.setViewportSize({ width: 390, height: 844 });
  await pane(first).getByText(`${taker?.name} types · 2 viewers`).waitFor();
  const title = await pane(first).getByRole("link").first().boundingBox();
  expect(title?.width).toBeGreaterThan(50);
});

test("ten tabs, one of which floods: the others answer, and Ctrl-C ends the flood", async () => {
  const { dashboard } = home();
  const page = await dashboard.page("/terminals");
  await openShell(page);
  for (let tab = 1; tab < 10; tab++) await askForShell(page);
  const tabs = page.getByRole("tab");
  expect(await tabs.count()).toBe(10);
  await tabs.first().click();
  await page.keyboard.type("yes\n");
  const isFlood = (rows: readonly string[]): boolean => rows.length > 10 && rows.every((row) => row === "y");
  await untilRows(page, isFlood, "the flood");
  for (let tab = 1; tab < 10; tab++) {
    await tabs.nth(tab).click();
    await page.keyboard.insertText(`echo answer $((${tab}*7))`);
    await page.keyboard.press("Enter");
    await untilRow(page, `answer ${tab * 7}`);
  }
  await tabs.first().click();
  await untilRows(page, isFlood, "the flood, still");
  await page.keyboard.press("Control+C");
  await untilRows(page, (rows) => rows.at(-1) === ">", "the prompt");
  await page.keyboard.type("clear; echo calm\n");
  await untilRows(page, (rows) => rows[0] === "calm", "what was typed after");
});
