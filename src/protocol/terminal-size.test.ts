import { expect, test } from "vitest";
import { sizeInForce } from "./terminal-size.ts";

test.each([
  [{}, {}, { columns: 80, rows: 24 }],
  [
    { columns: 0, rows: 0 },
    { columns: 132, rows: 50 },
    { columns: 132, rows: 50 },
  ],
  [{ columns: 100 }, { columns: 132, rows: 50 }, { columns: 100, rows: 50 }],
  [{ columns: 100_000, rows: 100_000 }, {}, { columns: 1_000, rows: 500 }],
  [{ columns: -5, rows: 0.5 }, {}, { columns: 1, rows: 1 }],
  [{ columns: Number.NaN, rows: Number.POSITIVE_INFINITY }, {}, { columns: 80, rows: 500 }],
])("%j with %j in force becomes %j", (wanted, current, size) => {
  expect(sizeInForce(wanted, current)).toEqual(size);
});
