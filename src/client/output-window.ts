// What a program asks of a stream of output is looked at here: the daemon would only hear of it as an address, or never.
import { HoldfastError } from "../protocol/errors.ts";

export interface OutputWindow {
  readonly from?: number | "end" | undefined;
  readonly windowBytes?: number | undefined;
}

/** @throws HoldfastError INVALID_ARGUMENT */
export function checkWindow({ from = 0, windowBytes = 1 }: OutputWindow): void {
  if (from !== "end" && !(Number.isSafeInteger(from) && from >= 0))
    throw new HoldfastError("INVALID_ARGUMENT", `from: ${from} is no offset, which is 0 or more, or "end".`);
  if (!(Number.isSafeInteger(windowBytes) && windowBytes > 0))
    throw new HoldfastError(
      "INVALID_ARGUMENT",
      `windowBytes: ${windowBytes} is no number of bytes, 1 or more.`,
    );
}
