// Live figures: what each process uses, how the machine and the daemon are. Sampled only while somebody listens.
import { z } from "zod";
import { processReferenceSchema } from "./ids.ts";

const count = z.int().nonnegative();
const share = z.number().nonnegative();

/** Null: this system does not tell. */
export const processUsageSchema = z.object({
  id: z.string(),
  /** Of the tree since the sample before: 1 is one whole processor. */
  cpu: share.nullable(),
  memoryBytes: count.nullable(),
  /** Living processes of the tree, the main one included. */
  processes: count.nullable(),
  outputBytes: count,
  /** Bytes a second since the sample before. */
  outputRate: count,
  lastLine: z.string(),
  /** The program in its terminal reads what somebody is to type. Null: not that the kernel tells; `process.get` also guesses. */
  waits: z.object({ for: z.enum(["input", "password"]), since: z.iso.datetime() }).nullable(),
});
export type ProcessUsage = z.infer<typeof processUsageSchema>;

export const machineUsageSchema = z.object({
  /** Of all processors together: 1 is all of them. */
  cpu: share,
  processors: count,
  memoryBytes: count,
  memoryUsedBytes: count,
  /** Over 1, 5 and 15 minutes. */
  load: z.array(share),
});
export type MachineUsage = z.infer<typeof machineUsageSchema>;

export const daemonUsageSchema = z.object({
  /** 1 is one whole processor. */
  cpu: share,
  memoryBytes: count,
  /** The longest time something had to wait for the daemon's attention since the sample before. */
  eventLoopDelayMs: share,
});
export type DaemonUsage = z.infer<typeof daemonUsageSchema>;

export const usageUpdateSchema = z.object({
  kind: z.literal("usage"),
  at: z.iso.datetime(),
  /** These are all rows there are: forget others. False: only those that changed. */
  whole: z.boolean(),
  machine: machineUsageSchema,
  daemon: daemonUsageSchema,
  processes: z.array(processUsageSchema),
  /** Have ended: their row is the last one. */
  ended: z.array(z.string()),
});
export type UsageUpdate = z.infer<typeof usageUpdateSchema>;

export const treeInputSchema = z.object({ id: processReferenceSchema });

export const treeProcessSchema = z.object({
  pid: z.int(),
  /** Null: the first of the tree, or one whose parent has ended. */
  parentPid: z.int().nullable(),
  /** How many parents it has in the tree. */
  depth: count,
  command: z.string(),
  state: z.enum(["running", "sleeping", "waiting for disk", "stopped", "zombie", "other"]),
  /** Used so far, with what it waited for. */
  cpuMs: count,
  memoryBytes: count,
  threads: count,
  startedAt: z.iso.datetime().nullable(),
});
export type TreeProcess = z.infer<typeof treeProcessSchema>;

export const treeOutputSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** Each followed by its children. */
  processes: z.array(treeProcessSchema),
});
export type TreeOutput = z.infer<typeof treeOutputSchema>;
