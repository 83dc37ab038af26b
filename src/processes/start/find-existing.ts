// A start that must not make a second process: the same idempotency key, the same name.
import { HoldfastError } from "../../protocol/errors.ts";
import type { StartInput } from "../../protocol/process.ts";
import type { Right } from "../../protocol/shares.ts";
import type { ProcessRecord } from "../../store/index.ts";
import type { ProcessContext } from "../context.ts";
import { stopProcess } from "../stop/stop-process.ts";
import { quoteWord } from "./resolve-command.ts";

/** Starts in progress, so that two with the same key or name at the same moment do not both find nothing. */
export class StartGate {
  readonly #busy = new Map<string, Promise<unknown>>();

  /** Runs one start per key at a time. */
  async pass<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    for (;;) {
      const ahead = keys.map((key) => this.#busy.get(key)).find((start) => start !== undefined);
      if (ahead === undefined) break;
      await ahead.catch(() => undefined); // its own caller hears of it
    }
    const running = work();
    for (const key of keys) this.#busy.set(key, running);
    try {
      return await running;
    } finally {
      for (const key of keys) this.#busy.delete(key);
    }
  }
}

export function gateKeys(input: StartInput): string[] {
  return [
    ...(input.idempotencyKey === undefined ? [] : [`key:${input.idempotencyKey}`]),
    ...(input.name === undefined ? [] : [`name:${input.name}`]),
  ];
}

function neverRan(record: ProcessRecord): boolean {
  const exit = record.exit?.exit;
  return exit?.kind === "spawn_failed" && exit.stage === "keeper";
}

function shownCommand(command: StartInput["command"]): string {
  return typeof command === "string" ? command : command.map(quoteWord).join(" ");
}

export interface ExistingChoice {
  /** What happened on the way is added. */
  readonly notes: string[];
  /** May whoever starts see or stop it? @throws HoldfastError NOT_YOURS */
  readonly admit: (record: ProcessRecord, right: Right) => Promise<void>;
}

/**
 * The process that already is what this start asks for. Stops the holder of the name first when `replace` is set.
 * @throws HoldfastError NAME_IN_USE, NOT_YOURS
 */
export async function findExisting(
  context: ProcessContext,
  input: StartInput,
  { notes, admit }: ExistingChoice,
): Promise<ProcessRecord | undefined> {
  if (input.idempotencyKey !== undefined) {
    const same = await context.store.processes.byIdempotencyKey(input.idempotencyKey);
    if (same !== undefined) await admit(same, "read");
    if (same !== undefined && !neverRan(same)) return (await context.registry.get(same.id)) ?? same;
    // Holdfast's own failure, before anything ran and before anybody was answered: this is the start that was meant.
    if (same !== undefined) await context.registry.remove(same.id);
  }
  const holder = input.name === undefined ? undefined : context.registry.liveByName(input.name);
  if (holder === undefined) return undefined;
  await admit(holder, input.replace ? "control" : "read");
  if (input.ensure && holder.command === shownCommand(input.command)) return holder;
  if (input.replace) {
    await stopProcess(context, holder, { reason: "replaced" });
    notes.push(`${holder.id}, which had the name "${input.name}", was stopped first.`);
    return undefined;
  }
  throw new HoldfastError(
    "NAME_IN_USE",
    `The name "${input.name}" belongs to ${holder.id} (${holder.command}).`,
    {
      details: { name: input.name, id: holder.id, command: holder.command },
    },
  );
}
