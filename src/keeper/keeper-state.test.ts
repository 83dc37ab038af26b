import { expect, test } from "vitest";
import { parseKeeperState } from "./keeper-state.ts";

test("a running terminal", () => {
  const text =
    "state running\npid 5\nstart 6\nstdin open\noutput_bytes 7\nend_offset 7\nfirst_tail 3\ndropped 2\ngap_bytes 1\n" +
    "columns 80\nrows 24\ncanonical 1\necho 0\nforeground 5\nclosed 0\nof_the_future 1\n";
  expect(parseKeeperState(text)).toEqual({
    state: "running",
    pid: 5,
    startTime: 6,
    stdin: "open",
    outputBytes: 7,
    firstTailOffset: 3,
    droppedBytes: 2,
    gapBytes: 1,
    columns: 80,
    rows: 24,
    terminal: { isCanonical: true, isEchoing: false, foregroundGroup: 5 },
    descendants: 0,
    isOutputClosed: false,
  });
});

test("an ended process keeps the numbers of its end apart from those of now", () => {
  const text =
    "state ended\npid 5\nend_offset 9\nclosed 0\nliving 1\ncontract 1.0\nkind lost\nlast_seen 4\noutput_bytes 7\ndescendants 2\n";
  const state = parseKeeperState(text);
  expect(state).toMatchObject({ state: "ended", outputBytes: 9, descendants: 1 });
  expect(state.exit).toMatchObject({ exit: { kind: "lost", lastSeen: 4 }, outputBytes: 7, descendants: 2 });
  expect(state.terminal).toBeUndefined();
});

test("a state that is not known, or an end without an exit, is not made up", () => {
  const mismatch = expect.objectContaining({ code: "CONTRACT_MISMATCH" }) as Error;
  expect(() => parseKeeperState("state dreaming\n")).toThrow(mismatch);
  expect(() => parseKeeperState("")).toThrow(mismatch);
  expect(() => parseKeeperState("state ended\npid 5\n")).toThrow(mismatch);
});
