// A terminal that floods: how long Ctrl-C takes to the prompt on the screen, and what another tab of the same page feels of it.
import { median, quantile } from "../keeper/statistics.ts";
import { barRow, infoRow, type Row } from "../keeper/table.ts";
import { awaitText, awaitTextOnLoad, paintedAt } from "./first-text.ts";
import { withHome, type BenchOptions, type OpenHome } from "./open-home.ts";
import { TerminalPage } from "./terminal-page.ts";

const mostMs = 200;
// Long enough for everything on the way to be full.
const floodMs = 300;

export async function benchInterrupt(options: BenchOptions): Promise<readonly Row[]> {
  const amount = options.isQuick ? { interrupts: 10, letters: 30 } : { interrupts: 100, letters: 200 };
  const interrupts = await withHome(options, (opened) => interruptTimes(opened, amount.interrupts));
  const echo = await withHome(options, (opened) => echoTimes(opened, amount.letters));
  const p99 = quantile(interrupts, 0.99);
  return [
    barRow({
      work: `Ctrl-C in a terminal that floods to the prompt on the screen, p99 of ${interrupts.length}`,
      ours: `${p99.toFixed(0)} ms (p50 ${median(interrupts).toFixed(0)})`,
      other: "",
      ratio: "",
      bar: `${mostMs} ms`,
      holds: p99 <= mostMs,
    }),
    infoRow(
      "key down to the painted echo while another tab floods, p50",
      `${median(echo.flooded).toFixed(1)} ms`,
      `${median(echo.quiet).toFixed(1)} ms with no flood`,
      `${(median(echo.flooded) / median(echo.quiet)).toFixed(2)}x`,
    ),
  ];
}

async function openTerminal({ client, page, origin }: OpenHome, key: string): Promise<void> {
  const { process } = await client.terminal.open({ key, cwd: "/", shell: "/bin/bash" });
  await page.goto(`${origin}/terminals?open=${process.id}`);
  const shown = page.getByRole("region", { name: /^Terminal / }).filter({ visible: true });
  await shown.getByRole("button", { name: "Take keyboard" }).click();
  await shown.getByText("You type").waitFor();
}

async function runYes({ page }: OpenHome): Promise<void> {
  await awaitText(page, "y");
  await page.keyboard.type("yes\n");
  await paintedAt(page);
  await page.waitForTimeout(floodMs);
}

async function interruptTimes(opened: OpenHome, count: number): Promise<number[]> {
  const { page } = opened;
  await awaitTextOnLoad(page, "");
  await openTerminal(opened, "flood");
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    // Another prompt each time: the one before may still be on the screen.
    const prompt = `ready${round}`;
    await awaitText(page, prompt);
    await page.keyboard.type(`PS1=${prompt}; clear\n`);
    await paintedAt(page);
    await page.keyboard.type("clear; PS1=done; ");
    await runYes(opened);
    await awaitText(page, "done");
    await page.keyboard.press("Control+C");
    times.push((await paintedAt(page)).sinceKeyMs);
  }
  return times;
}

async function echoTimes(opened: OpenHome, letters: number): Promise<{ quiet: number[]; flooded: number[] }> {
  const { page } = opened;
  await awaitTextOnLoad(page, "");
  const typing = await TerminalPage.prepare(page);
  await openTerminal(opened, "flood");
  await openTerminal(opened, "quiet");
  const tabs = page.getByRole("tab");
  await typing.typeLetters(10);
  const quiet = await typing.typeLetters(letters);
  await tabs.first().click();
  await runYes(opened);
  await tabs.last().click();
  await typing.typeLetters(10);
  return { quiet, flooded: await typing.typeLetters(letters) };
}
