// Which right each verb needs, once. Typed so that a verb without a rule does not compile. A rule gives the request as it may be
// carried out: references become whole ids, and what is asked of everybody is asked of the caller's own.
import { HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import type { OperationName, OperationRequest } from "../../protocol/operations.ts";
import { terminalKeyOf } from "../../protocol/terminal-key.ts";
import type { OperationContext } from "../context.ts";
import type { NeededRight, Scope } from "./scope.ts";

type Checked<Name extends OperationName> = (
  scope: Scope,
  input: OperationRequest<Name>,
  context: OperationContext,
) => OperationRequest<Name> | Promise<OperationRequest<Name>>;

/**
 * open: about no process and no session of others. listed: the handler leaves out what the caller may not see. person: the handler asks
 * for a person.
 */
export type Rule<Name extends OperationName> = "open" | "listed" | "person" | Checked<Name>;

function one(right: NeededRight) {
  return async <Input extends { readonly id: string }>(scope: Scope, input: Input): Promise<Input> => ({
    ...input,
    id: await scope.process(input.id, right),
  });
}

/** One that is unknown is left for the verb to tell, among the others. */
async function each(scope: Scope, references: readonly string[], right: NeededRight): Promise<string[]> {
  return await Promise.all(
    references.map((reference) =>
      scope.process(reference, right).catch((error: unknown) => {
        if (isHoldfastError(error, "PROCESS_NOT_FOUND", "PROCESS_AMBIGUOUS")) return reference;
        throw error;
      }),
    ),
  );
}

function several(right: NeededRight) {
  return async <Input extends { readonly ids: string[] }>(scope: Scope, input: Input): Promise<Input> => ({
    ...input,
    ids: await each(scope, input.ids, right),
  });
}

function ofSession<Input extends { readonly session?: string | undefined }>(
  scope: Scope,
  input: Input,
): Input {
  return { ...input, session: scope.own(input.session) };
}

interface Started {
  readonly owner: { readonly session?: string | undefined };
  readonly shell?: { readonly session: string } | undefined;
}

/** For itself, and in its own shell. What it may replace or join is looked at when the name is. */
function started<Input extends Started>(scope: Scope, input: Input): Input {
  if (input.shell !== undefined) scope.own(input.shell.session);
  return { ...input, owner: { ...input.owner, session: scope.own(input.owner.session) } };
}

function watched(right: NeededRight) {
  return async <Input extends { readonly watch: string }>(
    scope: Scope,
    input: Input,
    { processes }: OperationContext,
  ): Promise<Input> => {
    const watch = await processes.store.watches.get(input.watch);
    if (watch !== undefined) await scope.process(watch.processId, right);
    return input;
  };
}

/** Also of a stream of notices. */
export async function noticed<
  Input extends { readonly process?: string | undefined; readonly session?: string | undefined },
>(scope: Scope, input: Input): Promise<Input> {
  const own = ofSession(scope, input);
  return own.process === undefined ? own : { ...own, process: await scope.process(own.process, "read") };
}

function notices<Input>(idsOf: (input: Input) => readonly string[]) {
  return async (scope: Scope, input: Input, { processes }: OperationContext): Promise<Input> => {
    for (const id of idsOf(input)) {
      const notice = await processes.store.notices.get(id);
      if (notice === undefined || notice.route.session === scope.session) continue;
      throw new HoldfastError("NOT_YOURS", `Notice ${id} is not owed to you.`, { details: { notice: id } });
    }
    return input;
  };
}

/** A key that another session has is that session's. */
async function opened(
  scope: Scope,
  input: OperationRequest<"terminal.open">,
  { processes }: OperationContext,
): Promise<OperationRequest<"terminal.open">> {
  const found = processes.registry.live().find((record) => terminalKeyOf(record) === input.key);
  if (found !== undefined) await scope.check(found, "own");
  return input;
}

async function cancelled(
  scope: Scope,
  input: OperationRequest<"delegation.cancel">,
  { processes }: OperationContext,
): Promise<OperationRequest<"delegation.cancel">> {
  const { delegation } = input;
  const record = await processes.store.delegations.get(delegation);
  if (record === undefined || record.route.session === scope.session) return input;
  throw new HoldfastError("NOT_YOURS", `Delegation ${delegation} is not yours.`, { details: { delegation } });
}

export const rules: { readonly [Name in OperationName]: Rule<Name> } = {
  "process.start": started,
  "process.list": "listed",
  "process.get": one("read"),
  "process.tree": one("read"),
  "process.screen": one("read"),
  "process.output": one("read"),
  "process.search": one("read"),
  "process.wait": several("read"),
  "process.write": one("control"),
  "process.close-stdin": one("control"),
  "process.resize": one("control"),
  "process.signal": one("control"),
  "process.stop": async (scope, input) =>
    input.ids === undefined
      ? ofSession(scope, input)
      : { ...input, ids: await each(scope, input.ids, "control") },
  "process.remove": several("control"),
  "process.rename": one("control"),
  "process.share": one("own"),
  "process.active": ofSession,
  "cursor.get": async (scope, input) => await one("read")(scope, ofSession(scope, input)),
  "cursor.set": async (scope, input) => await one("read")(scope, ofSession(scope, input)),
  "terminal.open": opened,
  "terminal.list": "listed",
  "view.list": "listed",
  "view.close": one("control"),
  "session.interrupt": ofSession,
  "daemon.status": "open",
  "daemon.stop": "open",
  "daemon.idle": "open",
  "config.get": "open",
  "config.set": "open",
  "config.list": "open",
  "config.explain": "open",
  "config.check": "open",
  // Its matches are told to whoever the process belongs to.
  "watch.add": one("control"),
  "watch.list": one("read"),
  "watch.remove": watched("control"),
  "watch.hits": watched("read"),
  "notifications.list": noticed,
  "notifications.get": notices(({ notice }) => [notice]),
  "notifications.claim": noticed,
  "notifications.acknowledge": notices((input) => input.notices),
  "notifications.release": notices((input) => input.notices),
  "notifications.replay": notices(({ notice }) => [notice]),
  "notifications.dead": "listed",
  "lock.acquire": "open",
  "lock.release": "open",
  "lock.list": "open",
  "job.run": started,
  "job.list": "listed",
  "job.get": one("read"),
  "job.result": one("read"),
  "barrier.set": async (scope, input) => {
    const own = ofSession(scope, input);
    if (!("process" in own.for)) return own;
    return { ...own, for: { process: await scope.process(own.for.process, "read") } };
  },
  "barrier.get": ofSession,
  "barrier.clear": ofSession,
  "session.list": "listed",
  "session.get": ofSession,
  "session.end": ofSession,
  "session.busy": ofSession,
  "session.idle": ofSession,
  "session.attend": ofSession,
  "delegation.start": started,
  // Whoever was given its id does the work, and tells how it stands.
  "delegation.progress": "open",
  "delegation.finish": "open",
  "delegation.cancel": cancelled,
  "delegation.list": ofSession,
  "policy.check": "listed",
  "policy.list": "open",
  "policy.lift": "person",
  "dashboard.open": "person",
  "token.create": "person",
  "token.list": "open",
  "token.revoke": "open",
  // It only makes things stricter.
  "policy.restore": "open",
  "approval.list": "listed",
  "approval.answer": "person",
  "audit.list": "listed",
  gc: "open",
  doctor: "open",
};

/** The request, as a caller that speaks for a session may make it. @throws HoldfastError NOT_YOURS, PROCESS_NOT_FOUND, PROCESS_AMBIGUOUS */
export async function withinScope<Name extends OperationName>(
  context: OperationContext,
  scope: Scope,
  name: Name,
  input: OperationRequest<Name>,
): Promise<OperationRequest<Name>> {
  // The table gives every name the rule of its own input; the union is lost in the lookup.
  const rule = rules[name] as unknown as Rule<OperationName>;
  if (typeof rule === "string") return input;
  return (await rule(scope, input, context)) as OperationRequest<Name>;
}
