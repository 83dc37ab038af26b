import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { KeptProcess } from "../../keeper/index.ts";
import { InputHandles } from "./input-handles.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Handles that only tell whether they are closed. */
function opened() {
  const kept: { id: string; isClosed: boolean }[] = [];
  const handles = new InputHandles((id) => {
    const one = { id, isClosed: false, close: () => void (one.isClosed = true) };
    kept.push(one);
    return one as unknown as KeptProcess; // of which only `close` is called here
  });
  return { kept, handles };
}

const nothing = (): Promise<void> => Promise.resolve();

test("one handle serves what comes soon after the other, and goes after a pause", async () => {
  const { kept, handles } = opened();
  await handles.use("a", nothing);
  await vi.advanceTimersByTimeAsync(4_000);
  await handles.use("a", nothing);
  await handles.use("b", nothing);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(kept).toMatchObject([
    { id: "a", isClosed: false },
    { id: "b", isClosed: false },
  ]);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(kept.map(({ isClosed }) => isClosed)).toEqual([true, true]);
});

test("one that failed is used by nobody who comes later, and closed when the last is done with it", async () => {
  const { kept, handles } = opened();
  const slow = Promise.withResolvers<void>();
  const first = handles.use("a", () => slow.promise);
  await expect(handles.use("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(kept).toMatchObject([{ isClosed: false }]);
  await handles.use("a", nothing);
  expect(kept).toHaveLength(2);
  slow.resolve();
  await first;
  expect(kept).toMatchObject([{ isClosed: true }, { isClosed: false }]);
  handles.close();
  expect(kept).toMatchObject([{ isClosed: true }, { isClosed: true }]);
});
