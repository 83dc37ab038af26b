// What the daemon shows on standard error besides its file: lines for people on a terminal, the JSON lines themselves for a journal, a
// container engine or a pipe, and nothing where nobody can ever read them. It never waits for its reader: a terminal that was halted
// with Ctrl-S, or a pipe nobody empties, must not halt the daemon.
import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { parseLogLine, renderLogEntry } from "../../home/index.ts";

const standardError = 2;
// More than this waits for a reader that does not come.
const mostWaitingBytes = 1_048_576;

export interface ErrorOutput {
  show(line: string): void;
}

const silent: ErrorOutput = { show: () => undefined };

export function openErrorOutput(environment: NodeJS.ProcessEnv): ErrorOutput {
  if (isatty(standardError)) {
    const isColoured = !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
    return openTerminal(isColoured);
  }
  return isForNobody() ? silent : openStream();
}

/** Closed, or a file without a name: whoever starts a daemon in the background reads it there until it is ready. */
function isForNobody(): boolean {
  try {
    const found = fstatSync(standardError);
    return found.isFile() && found.nlink === 0;
  } catch {
    return true;
  }
}

/** Over a description of our own: what is set on it concerns no other program at this terminal. */
function openTerminal(isColoured: boolean): ErrorOutput {
  const descriptor = openWithoutWaiting();
  return {
    show: (line) => {
      const entry = parseLogLine(line);
      if (entry === undefined) return;
      try {
        writeSync(descriptor ?? standardError, renderLogEntry(entry, { isColoured }));
      } catch {
        // Halted, or gone: the file has it.
      }
    },
  };
}

function openWithoutWaiting(): number | undefined {
  try {
    return openSync("/dev/stderr", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined; // not ours to open, after su: then as it is
  }
}

function openStream(): ErrorOutput {
  let isBroken = false;
  // Without a listener the error of a closed pipe would end the daemon.
  process.stderr.on("error", () => (isBroken = true));
  return {
    show: (line) => {
      if (!isBroken && process.stderr.writableLength < mostWaitingBytes) process.stderr.write(line);
    },
  };
}
