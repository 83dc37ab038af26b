import { expect, test } from "vitest";
import { isHoldfastError } from "../protocol/errors.ts";
import type { ProcessState } from "../protocol/process.ts";
import { nextState, processStates, stateEvents, type StateEvent } from "./state.ts";

function outcome(from: ProcessState, event: StateEvent): string {
  try {
    return `-> ${nextState(from, event)}`;
  } catch (error) {
    return isHoldfastError(error, "INVALID_TRANSITION") ? "refused" : String(error);
  }
}

test("every state has an answer for every event: a move, or a coded refusal", () => {
  const moves = processStates.flatMap((from) =>
    stateEvents.map((event) => `${from} + ${event} ${outcome(from, event)}`),
  );
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
