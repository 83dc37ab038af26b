import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ByteQueue } from "./byte-queue.ts";

test("what is taken is what was pushed, however it was cut", () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 8 }), { maxLength: 8 });
  const takes = fc.array(fc.nat({ max: 10 }));
  fc.assert(
    fc.property(chunks, takes, (pushed, counts) => {
      const queue = new ByteQueue();
      for (const chunk of pushed) queue.push(chunk);
      const all = Buffer.concat(pushed);
      expect(queue.length).toBe(all.length);
      let at = 0;
      for (const count of counts.filter((wanted) => wanted > 0)) {
        const rest = all.subarray(at);
        expect(queue.indexOf(7, 1)).toBe(rest.indexOf(7, Math.min(1, rest.length)));
        if (count > rest.length) continue;
        expect(queue.at(count - 1)).toBe(rest[count - 1]);
        expect(Buffer.from(queue.take(count))).toEqual(rest.subarray(0, count));
        at += count;
      }
      expect(queue.length).toBe(all.length - at);
      expect(() => queue.at(queue.length)).toThrow(RangeError);
      expect(() => queue.take(queue.length + 1)).toThrow(RangeError);
    }),
  );
});
