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
  "process.output": entry("output", ["logs"], "logs"),
  "process.wait": entry("wait"),
  "process.write": entry("write", ["send"], "send"),
  "process.close-stdin": entry("close-stdin"),
  "process.resize": entry("resize"),
  "process.signal": entry("signal"),
  "process.stop": entry("stop", ["kill"]),
  "process.remove": entry("remove", ["rm"], "rm"),
  "process.rename": entry("rename"),
  "process.active": entry("active"),
  "session.interrupt": entry("interrupt"),
  "daemon.status": entry("daemon status"),
  "daemon.stop": entry("daemon stop"),
  "config.get": entry("config get"),
  "config.set": entry("config set"),
  "config.list": entry("config list"),
  "config.explain": entry("config explain"),
  "config.check": entry("config check"),
  gc: entry("gc"),
  doctor: entry("doctor"),
};
