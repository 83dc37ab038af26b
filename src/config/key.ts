// What makes a schema a configuration key: its facts, which are told wherever keys are.
import { z } from "zod";

export interface KeyFacts {
  /** What it decides, one sentence. */
  readonly description: string;
  /** Of the number; null for what is not counted. */
  readonly unit: string | null;
  /** True: a change counts from the next start of the daemon. */
  readonly needsRestart: boolean;
  /** May hold secrets: its value is never quoted in a message, and by the network only admins read it. */
  readonly isConfidential?: true;
  /**
   * A project's file may give it: a default of what its caller could also say with a start or a wait. Whatever protects, tells or
   * keeps belongs to the home alone: the file may come with a repository that somebody else wrote.
   */
  readonly mayProjectSet?: true;
}

export const keyFacts = z.registry<KeyFacts>();

/** Makes a schema with a default into a key. Whatever is not made one is a group of keys. */
export function key<Schema extends z.ZodDefault>(schema: Schema, facts: KeyFacts): Schema {
  keyFacts.add(schema, facts);
  return schema;
}
