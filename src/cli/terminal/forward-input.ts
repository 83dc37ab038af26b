// Standard input for the process: as it comes from a pipe or a file, or typed at a terminal with the keys that leave.
import type { Attachment } from "../../client/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import { DetachKeys } from "./detach-keys.ts";

export interface InputTarget {
  readonly attachment: Attachment;
  readonly closeStdin: () => Promise<void>;
  readonly detach: () => void;
  readonly complain: (error: unknown) => void;
}

/** Bytes until the end of standard input, which is then the end of the process's. */
export async function forwardStream(target: InputTarget): Promise<void> {
  try {
    for await (const chunk of process.stdin) await target.attachment.write(chunk as Buffer); // no encoding is set
    await target.closeStdin();
  } catch (error) {
    if (!isOver(error)) target.complain(error);
  }
}

/** Keys, until Ctrl-\ d. */
export function forwardKeys(target: InputTarget): void {
  const keys = new DetachKeys();
  process.stdin.on("data", (chunk: Buffer) => {
    const { forward, detach } = keys.push(chunk);
    if (forward.length > 0) {
      target.attachment.write(forward).catch((error: unknown) => {
        if (!isOver(error)) target.complain(error);
      });
    }
    if (detach) target.detach();
  });
  // The terminal is gone; the process need not go with it.
  process.stdin.once("end", target.detach);
}

/** Nobody reads any more: that is the process's own affair. */
function isOver(error: unknown): boolean {
  return isHoldfastError(error, "STDIN_CLOSED", "PROCESS_ENDED", "DAEMON_GONE");
}
