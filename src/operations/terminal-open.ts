import { currentView, keptProcess, resolveDirectory, stopProcess } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { startInputSchema, type ProcessView } from "../protocol/process.ts";
import { sizeInForce } from "../protocol/terminal-size.ts";
import { terminalKeyLabel, terminalKeyOf } from "../protocol/terminal-key.ts";
import type { ProcessRecord } from "../store/index.ts";
import { endGraceMs, isInDirectory, requireDirectory, terminalShell } from "../terminals/index.ts";
import type { Call, Handler, OperationContext } from "./context.ts";
import { processStart } from "./process-start.ts";

type OpenCall = Call<"terminal.open">;

/** Same key and directory: the one there is. Another directory, or a restart: a new one in its place. */
export const terminalOpen: Handler<"terminal.open"> = async (context, call) => {
  const { input } = call;
  const cwd = await requireDirectory(resolveDirectory(input.cwd));
  return await context.gate.pass([`terminal:${input.key}`], async () => {
    const live = context.processes.registry.live();
    // The newest: of one that was to be replaced when the daemon was killed, the successor counts.
    const found = live.findLast(
      (record) => terminalKeyOf(record) === input.key && record.state !== "stopping",
    );
    if (found !== undefined && !input.restart && (await isInDirectory(found, cwd)))
      return await reuse(context, call, found);
    if (found === undefined) requireRoom(context);
    const started = await start(context, call, cwd);
    // Last: what cannot be started costs nobody the terminal there is.
    return found === undefined ? started : { ...started, ...(await end(context, call, found)) };
  });
};

function requireRoom({ processes }: OperationContext): void {
  const { maxOpen } = processes.config().terminal;
  const open = processes.registry.live().filter((record) => terminalKeyOf(record) !== undefined).length;
  if (open < maxOpen) return;
  throw new HoldfastError("TOO_MANY_TERMINALS", `${open} terminals are open, as many as are allowed.`, {
    details: { open, most: maxOpen },
  });
}

async function reuse({ processes }: OperationContext, { input }: OpenCall, record: ProcessRecord) {
  const kept = keptProcess(processes, record.id);
  try {
    const { columns, rows } = sizeInForce(input, await kept.state());
    await kept.resize(columns, rows);
    return { process: await currentView(processes, record), reused: true, columns, rows };
  } finally {
    kept.close();
  }
}

async function end({ processes }: OperationContext, { caller }: OpenCall, record: ProcessRecord) {
  const { session, requestId } = caller;
  const requester = { verb: "terminal.open", requestId, ...(session === undefined ? {} : { session }) };
  await stopProcess(processes, record, { graceMs: endGraceMs, reason: "replaced", requester });
  return { replaced: record.id };
}

async function start(context: OperationContext, call: OpenCall, cwd: string) {
  const { input } = call;
  const { shell, terminal } = (await context.processes.configIn(cwd)).config;
  const { columns, rows } = sizeInForce(input, terminal);
  const login = (await context.processes.login.get())["SHELL"];
  const command = terminalShell({ given: input.shell, configured: shell.program ?? undefined, login });
  const request = startInputSchema.parse({
    command,
    cwd,
    mode: "pty",
    columns,
    rows,
    stdin: "open",
    lifetime: "detached",
    labels: { [terminalKeyLabel]: input.key },
    environment: { policy: "terminal" },
  });
  const {
    created: _created,
    notes: _notes,
    ...process
  } = await processStart(context, {
    ...call,
    get signal() {
      return call.signal;
    },
    input: request,
  });
  requireStarted(process, command);
  return { process, reused: false, columns, rows };
}

function requireStarted({ id, exit }: ProcessView, command: readonly string[]): void {
  if (exit?.kind !== "spawn_failed") return;
  throw new HoldfastError("SHELL_NOT_STARTED", `${command[0]} could not be started: ${exit.message}.`, {
    details: { id, stage: exit.stage, errno: exit.errno, command },
  });
}
