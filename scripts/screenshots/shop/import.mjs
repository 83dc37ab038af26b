// A long job that keeps a processor half busy and tells how far it is.
import { setTimeout as delay } from "node:timers/promises";

for (let row = 0; row <= 2_000_000; row += 2_500) {
  const until = performance.now() + 60;
  while (performance.now() < until);
  if (row % 10_000 === 0) console.log(`${row.toLocaleString("en")} of 2,000,000 rows`);
  await delay(90);
}
