// What each verb is called where people type it. The word is the verb's own name, as in the operations table and in
// file names; an alias is accepted on the command line and used nowhere else. ARCHITECTURE.md's glossary follows this.
import type { OperationName } from "./operations.ts";

export interface GlossaryEntry {
  /** Of the command line; two words for a verb of a group. */
  readonly word: string;
  readonly aliases: readonly string[];
  /** Which of them help and documents show: what a user of docker and tmux would type. */
  readonly shown: string;
}

function entry(word: string, aliases: readonly string[] = [], shown: string = word): GlossaryEntry {
  return { word, aliases, shown };
}

export const glossary: Readonly<Record<OperationName, GlossaryEntry>> = {
  "process.start": entry("start", ["run"], "run"),
  "process.list": entry("list", ["ps", "ls"], "ps"),
  "process.get": entry("get", ["show"], "show"),
  "process.tree": entry("tree"),
  "process.output": entry("output", ["logs"], "logs"),
  "process.screen": entry("screen"),
  "process.search": entry("search", ["grep"]),
  "process.wait": entry("wait"),
  "process.write": entry("write", ["send"], "send"),
  "process.close-stdin": entry("close-stdin"),
  "process.resize": entry("resize"),
  "process.signal": entry("signal"),
  "process.stop": entry("stop", ["kill"]),
  "process.remove": entry("remove", ["rm"], "rm"),
  "process.rename": entry("rename"),
  "process.active": entry("active"),
  "terminal.open": entry("terminal open"),
  "terminal.list": entry("terminal list"),
  "view.list": entry("view list"),
  "view.close": entry("view close"),
  "session.interrupt": entry("interrupt"),
  "daemon.status": entry("daemon status"),
  "daemon.stop": entry("daemon stop"),
  "daemon.idle": entry("daemon idle"),
  "config.get": entry("config get"),
  "config.set": entry("config set"),
  "config.list": entry("config list"),
  "config.explain": entry("config explain"),
  "config.check": entry("config check"),
  "watch.add": entry("watch add"),
  "watch.list": entry("watch list"),
  "watch.remove": entry("watch remove"),
  "watch.hits": entry("watch hits"),
  "notifications.list": entry("notifications list"),
  "notifications.get": entry("notifications get", ["notifications show"], "notifications show"),
  "notifications.claim": entry("notifications claim"),
  "notifications.acknowledge": entry("notifications acknowledge", ["notifications ack"], "notifications ack"),
  "notifications.release": entry("notifications release"),
  "lock.acquire": entry("lock acquire"),
  "lock.release": entry("lock release"),
  "lock.list": entry("lock list"),
  "notifications.replay": entry("notifications replay"),
  "notifications.dead": entry("notifications dead"),
  "job.run": entry("job run"),
  "job.list": entry("job list"),
  "job.get": entry("job get", ["job show"], "job show"),
  "job.result": entry("job result"),
  "barrier.set": entry("barrier set"),
  "barrier.get": entry("barrier get"),
  "barrier.clear": entry("barrier clear"),
  "session.list": entry("session list"),
  "session.get": entry("session get", ["session show"], "session show"),
  "session.end": entry("session end"),
  "session.busy": entry("session busy"),
  "session.idle": entry("session idle"),
  "session.attend": entry("session attend"),
  "delegation.start": entry("delegation start"),
  "delegation.progress": entry("delegation progress"),
  "delegation.finish": entry("delegation finish"),
  "delegation.cancel": entry("delegation cancel"),
  "delegation.list": entry("delegation list"),
  "policy.check": entry("policy check"),
  "policy.list": entry("policy list"),
  "policy.lift": entry("policy lift"),
  "policy.restore": entry("policy restore"),
  "approval.list": entry("approval list"),
  "approval.answer": entry("approval answer"),
  "audit.list": entry("audit list"),
  gc: entry("gc"),
  doctor: entry("doctor"),
};
