import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Keyboards } from "./keyboards.ts";

const one = { viewer: "v_1", writer: "a".repeat(16) };
const two = { viewer: "v_2", writer: "b".repeat(16) };
let freed: string[] = [];
let keyboards: Keyboards;

beforeEach(() => {
  vi.useFakeTimers();
  freed = [];
  keyboards = new Keyboards((id) => freed.push(id));
});
afterEach(() => {
  keyboards.close();
  vi.useRealTimers();
});

test("one has it; another may take it, and does not get it by asking whether it is free", () => {
  expect(keyboards.takeIfFree("p", one)).toBe(true);
  expect(keyboards.takeIfFree("p", two)).toBe(false);
  expect(keyboards.holder("p")).toBe("v_1");
  keyboards.take("p", two);
  expect(keyboards.has("p", "v_1")).toBe(false);
  expect(keyboards.holder("p")).toBe("v_2");
  expect(keyboards.holder("other")).toBeUndefined();
});

test("only who has it can give it back", () => {
  keyboards.take("p", one);
  keyboards.release("p", "v_2");
  expect(keyboards.holder("p")).toBe("v_1");
  keyboards.release("p", "v_1");
  expect(keyboards.holder("p")).toBeUndefined();
});

test("who loses the connection finds it again for a while, by its own writer", () => {
  keyboards.take("p", one);
  keyboards.leave("p", "v_1");
  vi.advanceTimersByTime(4_000);
  expect(keyboards.takeIfFree("p", two)).toBe(false);
  expect(keyboards.takeIfFree("p", { viewer: "v_3", writer: one.writer })).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(keyboards.holder("p")).toBe("v_3");
  expect(freed).toEqual([]);
});

test("after that it is free, and that is told", () => {
  keyboards.take("p", one);
  keyboards.leave("p", "v_1");
  vi.advanceTimersByTime(5_000);
  expect(keyboards.holder("p")).toBeUndefined();
  expect(freed).toEqual(["p"]);
});
