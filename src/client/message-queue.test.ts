import { expect, test } from "vitest";
import { MessageQueue } from "./message-queue.ts";

test("a reader that falls behind is told once, and told again when it has caught up", async () => {
  const told: string[] = [];
  const queue = new MessageQueue({ onFull: () => told.push("full"), onRoom: () => told.push("room") });
  for (let index = 0; index < 1_500; index += 1) queue.push(String(index));
  expect(told).toEqual(["full"]);
  for (let index = 0; index < 1_500; index += 1) expect(await queue.take()).toBe(String(index));
  expect(told).toEqual(["full", "room"]);
});

test("what came before the close is still handed out, then nothing for ever", async () => {
  const queue = new MessageQueue({ onFull: () => undefined, onRoom: () => undefined });
  const waiting = queue.take();
  queue.push("a");
  expect(await waiting).toBe("a");
  queue.push("b");
  queue.close();
  expect([await queue.take(), await queue.take(), await queue.take()]).toEqual(["b", undefined, undefined]);
});
