// Asks before it changes something.
import { createInterface } from "node:readline/promises";

console.log(
  "3 migrations are pending:\n  0041_orders_currency\n  0042_stock_reserved\n  0043_drop_legacy_basket",
);
const lines = createInterface({ input: process.stdin, output: process.stdout });
const answer = await lines.question("Apply them to shop_staging? [y/N] ");
lines.close();
console.log(answer === "y" ? "applied" : "left as it was");
