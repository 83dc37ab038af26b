// A test run with one failure, as its report looks.
import { setTimeout as delay } from "node:timers/promises";

const paint = (/** @type {number} */ code, /** @type {string} */ text) => `\u001b[${code}m${text}\u001b[0m`;
const files = [
  "basket",
  "catalogue",
  "checkout",
  "discounts",
  "images",
  "login",
  "orders",
  "search",
  "stock",
];

for (const [index, file] of files.entries()) {
  const isFailed = file === "discounts";
  const mark = isFailed ? paint(31, "✗") : paint(32, "✓");
  console.log(
    ` ${mark} tests/${file}.test.js ${paint(2, `(${6 + ((index * 5) % 11)} tests)`)} ${20 + index * 13} ms`,
  );
  if (isFailed) console.log(`   ${paint(31, "→ expected 17.10 to be 17.1 // a discount of a tenth")}`);
}
// Two pipes have no order between them but time.
await delay(100);
console.error(`\n${paint(41, " FAIL ")} tests/discounts.test.js > a discount of a tenth`);
console.error(paint(31, "AssertionError: expected '17.10' to be 17.1"));
console.error(`${paint(36, " ❯ tests/discounts.test.js:24:31")}\n`);
console.error("    22|   const basket = basketOf(teapot, 1)");
console.error("    23|   apply(basket, { percent: 10 })");
console.error(
  `    24|   expect(basket.total).toBe(17.1)\n      |                        ${paint(31, "^")}\n`,
);
await delay(100);
console.log(` Test Files  ${paint(31, "1 failed")} | ${paint(32, "8 passed")} (9)`);
console.log(`      Tests  ${paint(31, "1 failed")} | ${paint(32, "95 passed")} (96)`);
console.log(`   Duration  1.84s`);
process.exitCode = 1;
