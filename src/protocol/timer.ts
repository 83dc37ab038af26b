// How long a timer may be.
import { z } from "zod";

/** Node fires a timer of more than 2^31 - 1 ms at once. */
export const longestTimerMs = 2_147_483_647;

export const timerMsSchema = z.int().positive().max(longestTimerMs);
