import { expect, test } from "vitest";
import { HoldfastError } from "../protocol/errors.ts";
import { Outage } from "./outage.ts";

function stopping(retryAfterMs?: number): HoldfastError {
  const details = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new HoldfastError("DAEMON_STOPPING", "about to end", { details });
}

/** How long it holds out against the same failure. */
async function patienceMs(reconnectMs: number, failure: HoldfastError): Promise<number> {
  const outage = new Outage({ reconnectMs });
  const beganMs = performance.now();
  for (;;) {
    try {
      await outage.afterFailure(failure, true);
    } catch (error) {
      if (error !== failure) throw error;
      return performance.now() - beganMs;
    }
    // A daemon that drains tells the rest of its time, which has an end.
    if (performance.now() - beganMs > 400) failure = stopping(0);
  }
}

test("it gives up when time is up", async () => {
  expect(await patienceMs(60, stopping())).toBeGreaterThanOrEqual(60);
});

test("a daemon that lets waits finish is waited for as long as it says, and its successor after that", async () => {
  expect(await patienceMs(60, stopping(200))).toBeGreaterThanOrEqual(400);
});

test("who does not want to wait does not", async () => {
  expect(await patienceMs(0, stopping(60_000))).toBeLessThan(200);
});
