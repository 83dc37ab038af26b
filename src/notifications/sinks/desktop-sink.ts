// For people at the command line: a desktop notice and the bell of the terminal from which the process was started. Both are asked for by
// `run --notify`, which says so in the origin of the process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, openSync, closeSync, fstatSync, writeSync } from "node:fs";
import type { NoticeWithText } from "../../protocol/notices.ts";
import { desktopCommand, desktopEnvironment } from "./desktop-command.ts";
import type { DeliveryOutcome, Sink } from "./sink.ts";

export interface DesktopOptions {
  /** The program and its first arguments; title and text follow. Null: what the system has. */
  readonly command: readonly string[] | null;
  readonly environment: NodeJS.ProcessEnv;
}

export const desktopSinkName = "desktop";
const limitMs = 10_000;
const mostCharacters = 300;

export function desktopSink({ command, environment }: DesktopOptions): Sink {
  return {
    name: desktopSinkName,
    query: { originFlag: "desktop" },
    // Nobody wants to be told an hour later.
    scheduleMs: [],
    by: "notice",
    parallel: 4,
    gatherMs: 0,
    // A bell in an agent's terminal must not swallow what its session is owed.
    acknowledges: ({ session, task }) => session === null && task === null,
    deliver: async (notices, signal) => {
      const [notice] = notices;
      if (notice === undefined) return { kind: "delivered" };
      const rang = ring(notice);
      const outcome = await show(command ?? desktopCommand(process.platform), environment, notice, signal);
      return rang ? { kind: "delivered" } : outcome;
    },
  };
}

/** True when the bell was heard by a terminal of ours. */
function ring(notice: NoticeWithText): boolean {
  const tty = notice.owner.origin?.["tty"];
  if (typeof tty !== "string" || !/^\/dev\/(?:pts\/\d+|tty\w+)$/.test(tty)) return false;
  try {
    // Never as a controlling terminal, and never waiting for whoever holds it up.
    const file = openSync(tty, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    try {
      const found = fstatSync(file);
      if (!found.isCharacterDevice() || found.uid !== process.getuid?.()) return false;
      return writeSync(file, "\u{7}") === 1;
    } finally {
      closeSync(file);
    }
  } catch {
    return false; // the terminal is gone
  }
}

async function show(
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
  notice: NoticeWithText,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const [program = "", ...first] = command;
  const [title = "", ...rest] = notice.text.replace(/^\[Holdfast notice \S+\] /, "").split("\n");
  try {
    const shown = [title, rest.join("\n")].map((text) => text.slice(0, mostCharacters));
    const child = spawn(program, [...first, ...shown], {
      stdio: "ignore",
      env: desktopEnvironment(environment),
      timeout: limitMs,
      signal,
    });
    const [code] = (await once(child, "exit")) as [number | null];
    return code === 0 ? { kind: "delivered" } : { kind: "dead", error: `${program} ended with ${code}` };
  } catch (error) {
    return { kind: "dead", error: `${program}: ${error instanceof Error ? error.message : String(error)}` };
  }
}
