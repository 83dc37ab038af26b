import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("turns are given in the order they were asked for, one at a time", async () => {
  const turns = new Turns();
  const log: string[] = [];
  const work = async (name: string): Promise<void> => {
    await turns.take();
    log.push(`${name} begins`);
    await Promise.resolve();
    log.push(`${name} ends`);
    turns.give();
  };
  await Promise.all([work("a"), work("b"), work("c")]);
  await work("d");
  expect(log).toEqual(["a", "b", "c", "d"].flatMap((name) => [`${name} begins`, `${name} ends`]));
});
