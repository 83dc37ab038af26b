// A server in development, as its log looks: requests, now and then a slow or a failed one.
import { setTimeout as delay } from "node:timers/promises";

const paint = (/** @type {number} */ code, /** @type {string} */ text) => `\u001b[${code}m${text}\u001b[0m`;
const requests = [
  "GET /products",
  "GET /products/17",
  "POST /basket",
  "GET /images/teapot.webp",
  "GET /basket",
  "POST /orders",
];

console.log(`\n  ${paint(32, "shop")} ${paint(2, "ready in 412 ms")}\n`);
console.log(`  ${paint(36, "➜")}  Local:  ${paint(36, "http://localhost:5173/")}\n`);
for (let count = 0; ; count += 1) {
  const request = requests[(count * 5) % requests.length] ?? "";
  if (count === 20 || count === 33)
    console.error(`${paint(31, "ERROR")} ${request} 500: no connection to payments`);
  else console.log(`${paint(32, "200")} ${request} ${paint(2, `${8 + ((count * 7) % 31)} ms`)}`);
  await delay(count < 40 ? 5 : 350);
}
