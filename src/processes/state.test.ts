import { expect, test } from "vitest";
import { nextState, processStates, stateEvents } from "./state.ts";

test("every state has an answer for every event: a move, or a coded refusal", () => {
  const moves: string[] = [];
  for (const from of processStates) {
    for (const event of stateEvents) {
      try {
        moves.push(`${from} + ${event} -> ${nextState(from, event)}`);
      } catch (error) {
        expect(error).toMatchObject({ code: "INVALID_TRANSITION", details: { from, event } });
        moves.push(`${from} + ${event} refused`);
      }
    }
  }
  expect(moves).toEqual([
    "starting + started -> running",
    "starting + start_failed -> ended",
    "starting + stop_requested -> stopping",
    "starting + stop_given_up refused",
    "starting + ended -> ended",
    "running + started -> running",
    "running + start_failed refused",
    "running + stop_requested -> stopping",
    "running + stop_given_up -> running",
    "running + ended -> ended",
    "stopping + started -> stopping",
    "stopping + start_failed -> ended",
    "stopping + stop_requested -> stopping",
    "stopping + stop_given_up -> running",
    "stopping + ended -> ended",
    "ended + started -> ended",
    "ended + start_failed refused",
    "ended + stop_requested refused",
    "ended + stop_given_up -> ended",
    "ended + ended -> ended",
  ]);
});
