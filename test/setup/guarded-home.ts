// Runs before every test file: no setting of the person who runs the tests reaches them, and nothing they
// start outlives them.
import { rmSync } from "node:fs";
import { afterAll } from "vitest";
import { waitForNoLeaks } from "../support/leaks.ts";
import { makeTestDirectory } from "../support/test-home.ts";

// A stopped tree needs its grace of 2 s; the rest is room for a busy machine.
const leakDeadlineMs = 5_000;

for (const name of Object.keys(process.env)) {
  if (name.startsWith("HOLDFAST_")) delete process.env[name];
}
const directory = makeTestDirectory();
process.env["HOME"] = directory;

// Registered first, so it runs last: after every afterAll of the file itself.
afterAll(async () => {
  const leaks = await waitForNoLeaks(directory, leakDeadlineMs);
  rmSync(directory, { recursive: true, force: true });
  if (leaks.length > 0) throw new Error(`left behind by this test file:\n${leaks.join("\n")}`);
});
