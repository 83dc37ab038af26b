// Every verb as a method: client.process.start(…) is call("process.start", …). The list stands here a second time
// because the operations table carries zod, which costs a command line tens of milliseconds; the type makes it complete
// and a test holds it against the table.
import type {
  CallOptions,
  OperationInput,
  OperationName,
  OperationOutput,
  Operations,
} from "../protocol/operations.ts";

/** May the verb be asked again when nobody knows whether it was carried out? */
export const verbKinds: Readonly<Record<OperationName, "reads" | "changes">> = {
  "process.start": "changes",
  "process.list": "reads",
  "process.get": "reads",
  "process.tree": "reads",
  "process.output": "reads",
  "process.screen": "reads",
  "process.search": "reads",
  "process.wait": "reads",
  "process.write": "changes",
  "process.close-stdin": "changes",
  "process.resize": "changes",
  "process.signal": "changes",
  "process.stop": "changes",
  "process.remove": "changes",
  "process.rename": "changes",
  "process.share": "changes",
  "process.active": "reads",
  "cursor.get": "reads",
  "cursor.set": "changes",
  "terminal.open": "changes",
  "terminal.list": "reads",
  "view.list": "reads",
  "view.close": "changes",
  "session.interrupt": "reads",
  "daemon.status": "reads",
  "daemon.stop": "reads",
  "daemon.idle": "reads",
  "config.get": "reads",
  "config.set": "changes",
  "config.list": "reads",
  "config.explain": "reads",
  "config.check": "reads",
  "watch.add": "changes",
  "watch.list": "reads",
  "watch.remove": "changes",
  "watch.hits": "reads",
  "notifications.list": "reads",
  "notifications.get": "reads",
  "notifications.claim": "changes",
  "notifications.acknowledge": "changes",
  "notifications.release": "changes",
  "lock.acquire": "changes",
  "lock.release": "changes",
  "lock.list": "reads",
  "notifications.replay": "changes",
  "notifications.dead": "reads",
  "job.run": "changes",
  "job.list": "reads",
  "job.get": "reads",
  "job.result": "reads",
  "barrier.set": "changes",
  "barrier.get": "reads",
  "barrier.clear": "changes",
  "session.list": "reads",
  "session.get": "reads",
  "session.end": "changes",
  "session.busy": "changes",
  "session.idle": "changes",
  "session.attend": "changes",
  "delegation.start": "changes",
  "delegation.progress": "changes",
  "delegation.finish": "changes",
  "delegation.cancel": "changes",
  "delegation.list": "reads",
  "policy.check": "reads",
  "policy.list": "reads",
  "policy.lift": "changes",
  "policy.restore": "changes",
  "approval.list": "reads",
  "approval.answer": "changes",
  "audit.list": "reads",
  "dashboard.open": "changes",
  "token.create": "changes",
  "token.list": "reads",
  "token.revoke": "changes",
  gc: "changes",
  doctor: "reads",
};

type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;

/** The input may be left out where nothing in it is required. */
export type Verb<Name extends OperationName> =
  Record<string, never> extends OperationInput<Name>
    ? (input?: OperationInput<Name>, options?: CallOptions) => Promise<OperationOutput<Name>>
    : (input: OperationInput<Name>, options?: CallOptions) => Promise<OperationOutput<Name>>;

type GroupName = OperationName extends infer Name
  ? Name extends `${infer Group}.${string}`
    ? Group
    : never
  : never;

export type VerbGroup<Group extends GroupName> = {
  readonly [
    Name in OperationName as Name extends `${Group}.${infer Rest}` ? CamelCase<Rest> : never
  ]: Verb<Name>;
};

export type Verbs = { readonly [Group in GroupName]: VerbGroup<Group> } & {
  readonly [Name in Exclude<OperationName, `${string}.${string}`>]: Verb<Name>;
};

export function verbsOf(client: Operations): Verbs {
  const verbs: Record<string, unknown> = {};
  for (const name of Object.keys(verbKinds) as OperationName[]) {
    const verb = (input: OperationInput<typeof name> = {}, options?: CallOptions) =>
      client.call(name, input, options);
    const [group = name, rest] = name.split(".");
    if (rest === undefined) verbs[group] = verb;
    else {
      verbs[group] ??= {};
      const method = rest.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
      (verbs[group] as Record<string, unknown>)[method] = verb; // made two lines above
    }
  }
  return verbs as Verbs; // built from the list whose keys the type is made of
}
