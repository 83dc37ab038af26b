// The table of docs/mcp.md against what the tools answer here and now.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { measureAnswers, measuredConfig } from "../../scripts/measure-mcp-answers.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { newTestHome } from "../support/test-home.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/mcp.md"), "utf8");

test("every answer is as large as the page says, and none exceeds the budget", async () => {
  const home = newTestHome();
  writeFileSync(join(home, "holdfast.yaml"), measuredConfig, { mode: 0o600 });
  await openDaemonHome({ home });
  const measured = await measureAnswers(await connectedClient({ home, session: "measured" }));
  const rows = [...page.matchAll(/^\| (`.*) \| ([\d,]+) \|$/gm)];
  const told = new Map(rows.map(([, what = "", tokens = ""]) => [what, Number(tokens.replaceAll(",", ""))]));
  expect([...told.keys()]).toEqual(measured.map(({ what }) => what));
  for (const { what, tokens } of measured) {
    const said = told.get(what) ?? 0;
    expect(Math.abs(tokens - said), `${what}: ${said} on the page, ${tokens} here`).toBeLessThanOrEqual(
      20 + said * 0.1,
    );
    expect(tokens).toBeLessThanOrEqual(8_000);
  }
});
