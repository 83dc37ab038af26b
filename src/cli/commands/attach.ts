import { Command } from "commander";
import { HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import type { ProcessDetail } from "../../protocol/process.ts";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { tellDetached, tellEnd } from "../tell-end.ts";
import { stayWith, type Stay } from "../terminal/foreground.ts";
import { askToRedraw, replay } from "../terminal/replay.ts";
import { Signals } from "../terminal/signals.ts";

// What a pipe has shown lately, so that one sees where it is.
const linesWithoutTerminal = 10;

export function define(cli: Cli): Command {
  const command = new Command()
    .description(
      "Come back to a process: as `run`, but Ctrl-C, a hangup or Ctrl-\\ d leave it and never end it.",
    )
    .argument("<id>", processArgument);
  return withJson(command).action((id: string, { json }: JsonOption) => attach(cli, id, json === true));
}

async function attach(cli: Cli, reference: string, isJson: boolean): Promise<void> {
  const client = await cli.client();
  const detail = await client.process.get({ id: reference });
  if (detail.state === "ended") {
    throw new HoldfastError("PROCESS_ENDED", `${detail.id} has ended.`, {
      hint: `Read what it wrote: holdfast logs ${detail.id}`,
    });
  }
  const signals = new Signals();
  try {
    const left = await stay(cli, detail, signals, isJson);
    if (left.kind === "detached") tellDetached(cli, detail, isJson);
    else tellEnd(cli, left.process, isJson);
  } finally {
    signals.close();
  }
}

async function stay(cli: Cli, detail: ProcessDetail, signals: Signals, isJson: boolean): Promise<Stay> {
  const client = await cli.client();
  const isAtTerminal = detail.mode === "pty" && process.stdin.isTTY && process.stdout.isTTY;
  const { columns, rows } = process.stdout;
  if (!isJson && process.stderr.isTTY) cli.note(leaveHint(detail, isAtTerminal));
  const { next, modes } = await replay(client, detail.id, {
    lines: isAtTerminal ? rows : linesWithoutTerminal,
    show: !isJson,
  });
  if (isAtTerminal && modes.isAlternateScreen) {
    await askToRedraw(client, detail.id, { columns, rows }).catch((error: unknown) => {
      // It has ended: that is told in a moment, when its screen has been left.
      if (!isHoldfastError(error, "PROCESS_ENDED", "RUN_NOT_FOUND")) throw error;
    });
  }
  return await stayWith(client, {
    process: detail,
    from: next,
    input: isAtTerminal ? "keys" : detail.stdin === "open" ? "stream" : "none",
    signals,
    onSignal: "detach",
    showOutput: !isJson,
    note: (text) => cli.note(text),
    modes,
  });
}

function leaveHint({ id }: ProcessDetail, isAtTerminal: boolean): string {
  return `[${id}; ${isAtTerminal ? "Ctrl-\\ d" : "Ctrl-C"} leaves it]`;
}
