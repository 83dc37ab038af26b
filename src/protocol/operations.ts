// Every verb, once: its name, what goes in, what comes out. The daemon's operations, the HTTP routes, the client, the
// OpenAPI document and the command line's --json are all made from this table.
import type { z } from "zod";
import * as control from "./control.ts";
import * as daemon from "./daemon.ts";
import { entryOperations } from "./entry.ts";
import * as l from "./locks.ts";
import * as g from "./delegations.ts";
import * as j from "./jobs.ts";
import * as n from "./notices.ts";
import { operation, type Operation } from "./operation.ts";
import { policyOperations } from "./policy-operations.ts";
import { outputInputSchema, outputOutputSchema } from "./output.ts";
import { processDetailSchema, processViewSchema, startInputSchema, startOutputSchema } from "./process.ts";
import * as r from "./shares.ts";
import { searchInputSchema, searchOutputSchema } from "./search.ts";
import * as s from "./sessions.ts";
import { terminalOperations } from "./terminal-operations.ts";
import { treeInputSchema, treeOutputSchema } from "./usage.ts";
import { waitInputSchema, waitOutputSchema } from "./wait.ts";
import * as w from "./watches.ts";

const c = control;
const d = daemon;

export const operations = {
  "process.start": operation("Start a process.", startInputSchema, startOutputSchema, "changes"),
  "process.list": operation("List processes.", c.listInputSchema, c.listOutputSchema, "reads"),
  "process.get": operation(
    "Tell everything about one process.",
    c.getInputSchema,
    processDetailSchema,
    "reads",
  ),
  "process.tree": operation(
    "Tell the processes of the tree of one process.",
    treeInputSchema,
    treeOutputSchema,
    "reads",
  ),
  "process.output": operation("Read what a process wrote.", outputInputSchema, outputOutputSchema, "reads"),
  "process.search": operation(
    "Find lines in what a process wrote.",
    searchInputSchema,
    searchOutputSchema,
    "reads",
  ),
  "process.wait": operation(
    "Wait until something is true of processes.",
    waitInputSchema,
    waitOutputSchema,
    "reads",
  ),
  "process.write": operation("Type into a process.", c.writeInputSchema, c.writeOutputSchema, "changes"),
  "process.close-stdin": operation(
    "Close the standard input of a process.",
    c.getInputSchema,
    processViewSchema,
    "changes",
  ),
  "process.signal": operation("Send a signal.", c.signalInputSchema, c.signalOutputSchema, "changes"),
  "process.stop": operation(
    "End processes with all their descendants.",
    c.stopInputSchema,
    c.stopOutputSchema,
    "changes",
  ),
  "process.remove": operation(
    "Forget ended processes and their output.",
    c.removeInputSchema,
    c.removeOutputSchema,
    "changes",
  ),
  "process.rename": operation(
    "Give a process another name.",
    c.renameInputSchema,
    processViewSchema,
    "changes",
  ),
  "process.share": operation(
    "Let other sessions see or control a process, or no longer.",
    r.shareInputSchema,
    r.shareOutputSchema,
    "changes",
  ),
  "process.active": operation(
    "Tell whether a session or task still has something running.",
    c.activeInputSchema,
    c.activeOutputSchema,
    "reads",
  ),
  "cursor.get": operation(
    "Tell how far a session has looked at a process.",
    r.cursorGetInputSchema,
    r.cursorOutputSchema,
    "reads",
  ),
  "cursor.set": operation(
    "Remember how far a session has looked at a process.",
    r.cursorSetInputSchema,
    r.cursorOutputSchema,
    "changes",
  ),
  ...terminalOperations,
  "session.interrupt": operation(
    "Return the waits of a session at once.",
    c.interruptInputSchema,
    c.interruptOutputSchema,
    "reads",
    "operator",
  ),
  "daemon.status": operation(
    "Tell how the daemon is.",
    d.daemonStatusInputSchema,
    d.daemonStatusSchema,
    "reads",
  ),
  "daemon.stop": operation(
    "End the daemon; processes go on.",
    d.daemonStopInputSchema,
    d.daemonStopOutputSchema,
    "reads",
    "admin",
  ),
  "daemon.idle": operation(
    "Tell whether anything is running, waiting or to be delivered.",
    d.daemonIdleInputSchema,
    d.daemonIdleOutputSchema,
    "reads",
  ),
  "config.get": operation(
    "Tell the value of a configuration key.",
    d.configGetInputSchema,
    d.configValueSchema,
    "reads",
  ),
  "config.set": operation(
    "Set a key in the home's configuration file.",
    d.configSetInputSchema,
    d.configValueSchema,
    "changes",
    "admin",
  ),
  "config.list": operation(
    "Tell every configuration key with its value.",
    d.configListInputSchema,
    d.configListOutputSchema,
    "reads",
    "admin",
  ),
  "config.explain": operation(
    "Tell where a value comes from.",
    d.configExplainInputSchema,
    d.configExplainOutputSchema,
    "reads",
    "admin",
  ),
  "config.check": operation(
    "Check the configuration files.",
    d.configCheckInputSchema,
    d.configCheckOutputSchema,
    "reads",
    "admin",
  ),
  "watch.add": operation("Watch a process.", w.watchAddInputSchema, w.watchViewSchema, "changes"),
  "watch.list": operation(
    "List the watches of a process.",
    w.watchListInputSchema,
    w.watchListOutputSchema,
    "reads",
  ),
  "watch.remove": operation(
    "End a watch and forget what it found.",
    w.watchRemoveInputSchema,
    w.watchRemoveOutputSchema,
    "changes",
  ),
  "watch.hits": operation(
    "Find the matches of a watch again.",
    w.watchHitsInputSchema,
    w.watchHitsOutputSchema,
    "reads",
  ),
  "notifications.list": operation(
    "List notices.",
    n.noticeListInputSchema,
    n.noticeListOutputSchema,
    "reads",
  ),
  "notifications.get": operation("Tell one notice.", n.noticeGetInputSchema, n.noticeWithTextSchema, "reads"),
  "notifications.claim": operation(
    "Take owed notices for a while, to take care of them.",
    n.noticeClaimInputSchema,
    n.noticeClaimOutputSchema,
    "changes",
  ),
  "notifications.acknowledge": operation(
    "Say that notices were taken care of.",
    n.noticeAcknowledgeInputSchema,
    n.noticeSettlementsSchema,
    "changes",
  ),
  "notifications.release": operation(
    "Give claimed notices back.",
    n.noticeReleaseInputSchema,
    n.noticeSettlementsSchema,
    "changes",
  ),
  "lock.acquire": operation(
    "Take a lock for a process, or tell who has it.",
    l.lockAcquireInputSchema,
    l.lockAcquireOutputSchema,
    "changes",
  ),
  "lock.release": operation(
    "Give a lock of a process back, or all of them.",
    l.lockReleaseInputSchema,
    l.lockReleaseOutputSchema,
    "changes",
  ),
  "lock.list": operation(
    "List the locks of this user on this machine.",
    l.lockListInputSchema,
    l.lockListOutputSchema,
    "reads",
  ),
  "notifications.replay": operation(
    "Owe a notice again.",
    n.noticeReplayInputSchema,
    n.noticeReplayOutputSchema,
    "changes",
  ),
  "notifications.dead": operation(
    "List deliveries that were given up or wait for a person.",
    n.noticeDeadInputSchema,
    n.noticeDeadOutputSchema,
    "reads",
  ),
  "job.run": operation(
    "Run a job: detached, limited, its end owed.",
    j.jobRunInputSchema,
    startOutputSchema,
    "changes",
  ),
  "job.list": operation("List jobs.", j.jobListInputSchema, j.jobListOutputSchema, "reads"),
  "job.get": operation("Tell everything about one job.", j.jobReferenceSchema, processDetailSchema, "reads"),
  "job.result": operation(
    "Tell how a job ended and what it wrote, in one text.",
    j.jobReferenceSchema,
    j.jobResultSchema,
    "reads",
  ),
  "barrier.set": operation(
    "Say what a session waits for.",
    s.barrierSetInputSchema,
    s.barrierViewSchema,
    "changes",
  ),
  "barrier.get": operation(
    "Tell whether a session still has to wait.",
    s.barrierSessionSchema,
    s.barrierViewSchema,
    "reads",
  ),
  "barrier.clear": operation(
    "Wait for nothing any more.",
    s.barrierSessionSchema,
    s.barrierClearOutputSchema,
    "changes",
  ),
  "session.list": operation(
    "List sessions that have not ended.",
    s.sessionListInputSchema,
    s.sessionListOutputSchema,
    "reads",
  ),
  "session.get": operation(
    "Tell everything about one session.",
    s.sessionGetInputSchema,
    s.sessionDetailSchema,
    "reads",
  ),
  "session.end": operation(
    "End a session for good, with its processes that end with it.",
    s.sessionEndInputSchema,
    s.sessionEndOutputSchema,
    "changes",
  ),
  "session.busy": operation(
    "Say that somebody works on a session, for a while.",
    s.sessionBusyInputSchema,
    s.sessionViewSchema,
    "changes",
  ),
  "session.idle": operation(
    "Say that nobody works on a session any more.",
    s.sessionIdleInputSchema,
    s.sessionViewSchema,
    "changes",
  ),
  "session.attend": operation(
    "Say that a person is there.",
    s.sessionAttendInputSchema,
    s.sessionAttendOutputSchema,
    "changes",
  ),
  "delegation.start": operation(
    "Register work that is done elsewhere.",
    g.delegationStartInputSchema,
    g.delegationViewSchema,
    "changes",
  ),
  "delegation.progress": operation(
    "Tell how delegated work stands.",
    g.delegationProgressInputSchema,
    g.delegationViewSchema,
    "changes",
  ),
  "delegation.finish": operation(
    "Tell what came of delegated work.",
    g.delegationFinishInputSchema,
    g.delegationViewSchema,
    "changes",
  ),
  "delegation.cancel": operation(
    "Give delegated work up.",
    g.delegationCancelInputSchema,
    g.delegationViewSchema,
    "changes",
  ),
  "delegation.list": operation(
    "List delegated work.",
    g.delegationListInputSchema,
    g.delegationListOutputSchema,
    "reads",
  ),
  ...policyOperations,
  ...entryOperations,
  gc: operation("Remove what retention no longer keeps.", d.gcInputSchema, d.gcOutputSchema, "changes"),
  doctor: operation(
    "Look for what is wrong with this home and machine.",
    d.doctorInputSchema,
    d.doctorOutputSchema,
    "reads",
    "operator",
  ),
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
/** What a caller sends: fields with a default may be left out. */
export type OperationInput<Name extends OperationName> = z.input<(typeof operations)[Name]["input"]>;
/** After validation. */
export type OperationRequest<Name extends OperationName> = z.output<(typeof operations)[Name]["input"]>;
export type OperationOutput<Name extends OperationName> = z.output<(typeof operations)[Name]["output"]>;

export const operationNames = Object.keys(operations) as OperationName[];

export type { Caller } from "./caller.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** The one interface with two implementations: inside the daemon, and remote in the client. */
export interface Operations {
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    options?: CallOptions,
  ): Promise<OperationOutput<Name>>;
}
