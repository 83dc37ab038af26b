import { expect, test } from "vitest";
import { pulled, type Source } from "./pulled.ts";

/** Gives these, and notes what it saw. */
function sourceOf(batches: readonly (readonly number[])[], seen: string[]): Source<number> {
  return async (consume, signal) => {
    try {
      for (const batch of batches) {
        seen.push(`gives ${batch.join(" ")}`);
        await Promise.race([consume(batch), rejected(signal)]);
      }
    } finally {
      seen.push("is over");
    }
  };
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

test("every event in order, the next ones only when these were taken", async () => {
  const seen: string[] = [];
  for await (const number of pulled(sourceOf([[1, 2], [], [3]], seen))) seen.push(`takes ${number}`);
  expect(seen).toEqual(["gives 1 2", "takes 1", "takes 2", "gives ", "gives 3", "takes 3", "is over"]);
});

test("whoever leaves the loop stops the source, and it is over by then", async () => {
  const seen: string[] = [];
  for await (const number of pulled(sourceOf([[1, 2], [3]], seen))) {
    seen.push(`takes ${number}`);
    break;
  }
  expect(seen).toEqual(["gives 1 2", "takes 1", "is over"]);
});

test("a signal ends it with its reason, also in the middle of what was given", async () => {
  const abort = new AbortController();
  const seen: string[] = [];
  const reading = pulled(sourceOf([[1, 2]], seen), abort.signal);
  expect(await reading.next()).toEqual({ done: false, value: 1 });
  abort.abort(new Error("enough"));
  await expect(reading.next()).rejects.toThrow("enough");
  expect(seen).toEqual(["gives 1 2", "is over"]);
  await expect(pulled(sourceOf([[1]], seen), abort.signal).next()).rejects.toThrow("enough");
});

test("a failure comes after what was given before it", async () => {
  const failing: Source<number> = async (consume) => {
    await consume([1]);
    throw new Error("broken");
  };
  const reading = pulled(failing);
  expect(await reading.next()).toEqual({ done: false, value: 1 });
  await expect(reading.next()).rejects.toThrow("broken");
});

test("whoever leaves stops a source that waits for nothing but its reader", async () => {
  const seen: string[] = [];
  const waiting: Source<number> = async (consume) => {
    for (const number of [1, 2, 3]) {
      seen.push(`gives ${number}`);
      await consume([number]);
    }
  };
  for await (const number of pulled(waiting)) {
    seen.push(`takes ${number}`);
    if (number === 2) break;
  }
  expect(seen).toEqual(["gives 1", "takes 1", "gives 2", "takes 2", "gives 3"]);
});
