import { expect, test } from "vitest";
import { OutputScan } from "./output-scan.ts";
import { scanFrom } from "./scan-state.ts";
import { scanStateSchema } from "./standing.ts";
import type { RateWatch } from "./worker-messages.ts";

test("a rate is told when it is exceeded, once until it was not, and goes on after a kill", () => {
  const rate: RateWatch = { id: "r", unit: "lines", most: 10, perMs: 1_000 };
  const found: unknown[] = [];
  let state = scanFrom(0);
  let offset = 0;
  const write = (timeMs: number, lines: number): void => {
    const scan = new OutputScan(
      { lines: [], rates: [rate], state, until: null },
      { onMatch: (match) => found.push(match), onGap: () => undefined },
    );
    const bytes = Buffer.from("x\n".repeat(lines));
    scan.take({ kind: "mark", mark: "stdout", timeUs: timeMs * 1_000, offset, value: 0 });
    scan.take({ kind: "data", offset, bytes });
    offset += bytes.length;
    state = scanStateSchema.parse(JSON.parse(JSON.stringify(scan.state)));
  };
  for (let ms = 0; ms < 3_000; ms += 100) write(ms, 1);
  expect(found, "ten in a second are not more than ten").toEqual([]);
  write(3_010, 3);
  expect(found).toMatchObject([{ watches: ["r"], line: "more than 10 lines within 1000 ms" }]);
  for (let ms = 3_100; ms < 4_000; ms += 100) write(ms, 5);
  expect(found, "still too much: told already").toHaveLength(1);
  write(9_000, 1);
  write(9_010, 20);
  expect(found).toHaveLength(2);
});
