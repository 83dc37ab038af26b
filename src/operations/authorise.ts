// What whoever came by the network may do, in the one place that every verb passes. The owner of the home is asked nothing.
import { describeWho } from "../access/index.ts";
import { hasRole } from "../protocol/access.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { operations, type Caller, type OperationName } from "../protocol/operations.ts";
import { redactText } from "../redaction/index.ts";
import type { OperationContext } from "./context.ts";
import type { Runtime } from "./runtime.ts";

// Typed and dragged: one act, however many requests it takes.
const inManyParts: ReadonlySet<OperationName> = new Set(["process.write", "process.resize", "session.busy"]);
const mostShown = 5;
const mostCharacters = 300;

/** @throws HoldfastError ROLE_REQUIRED */
export function requireRole({ access }: OperationContext, name: OperationName, caller: Caller): void {
  const { who, requestId } = caller;
  const { role } = operations[name];
  if (who === undefined || hasRole(who.role, role)) return;
  // Of a viewer's own tools, with each look: nobody tried anything.
  if (name !== "cursor.set") {
    const by = describeWho(who);
    access.record.addRefusal({ what: "acted", decision: "deny", by, about: name, requestId });
  }
  throw roleRequired(caller, role, name);
}

export function roleRequired({ who }: Caller, role: string, what: string): HoldfastError {
  return new HoldfastError("ROLE_REQUIRED", `${what} needs the role ${role}; ${who?.name} is ${who?.role}.`, {
    details: { role, has: who?.role },
  });
}

/** Puts on record who does what: all that a viewer could not. Before it is done, so that nothing is done and not told. */
export async function recordAct(
  { access }: OperationContext,
  { name, input, caller }: { readonly name: OperationName; readonly input: unknown; readonly caller: Caller },
): Promise<void> {
  const { who, session, requestId } = caller;
  if (who === undefined || operations[name].role === "viewer") return;
  const entry = { what: "acted", decision: "allow", by: describeWho(who), session, requestId } as const;
  const inParts = inManyParts.has(name) ? `${name} ${partsOf(input)}` : undefined;
  await access.record.addAct({ ...entry, about: () => describeAct(name, input) }, inParts);
}

/** What all requests of one act in many parts have in common. */
function partsOf(input: unknown): string {
  const { id, session } = input as { readonly id?: string; readonly session?: string }; // validated: of one process, or of one session
  return id ?? session ?? "";
}

/** What a viewer asks is asked for nobody: what a session has read it is not told again, and that would be a change. */
export function asViewed(caller: Caller): Caller {
  if (caller.who?.role !== "viewer" || caller.session === undefined) return caller;
  const { session: _, ...rest } = caller;
  return rest;
}

function describeAct(name: OperationName, input: unknown): string {
  const { id, ids, command, key, name: named } = input as Readonly<Record<string, unknown>>; // validated: an object
  const words = [id, ...(Array.isArray(ids) ? (ids as unknown[]) : []), key, named, command].flatMap((word) =>
    typeof word === "string" ? [word] : Array.isArray(word) ? [word.join(" ")] : [],
  );
  const text = [name, ...words.slice(0, mostShown)].join(" ").replaceAll(/\p{Cc}/gu, " ");
  return redactText(text).text.slice(0, mostCharacters);
}

/** For adapters of the network: a caller that nobody has named is not taken for the owner. */
export function forKnownCallers(runtime: Runtime): Runtime {
  const known = <Options extends { readonly caller: Caller }>(options: Options): Options => ({
    ...options,
    caller: asViewed(requireKnown(options.caller)),
  });
  return {
    call: async (name, input, caller, signal, answered) =>
      await runtime.call(name, input, requireKnown(caller), signal, answered),
    newestCursor: () => runtime.newestCursor(),
    events: (options) => runtime.events(known(options)),
    notices: (options) => runtime.notices(known(options)),
    usage: (options) => runtime.usage(known(options)),
    view: (opening, caller) => runtime.view(opening, asViewed(requireKnown(caller))),
    liveOutput: (options) => runtime.liveOutput(known(options)),
    followOutput: (options, consume) => runtime.followOutput(known(options), consume),
  };
}

/** @throws HoldfastError UNAUTHENTICATED */
function requireKnown(caller: Caller): Caller {
  if (caller.who !== undefined) return caller;
  throw new HoldfastError("UNAUTHENTICATED", "Nobody is signed in.");
}
