// The shape of a policy: what of the commands of one profile is allowed, asked or denied.
import { z } from "zod";
import { nameSchema } from "../protocol/process.ts";
import { decisionSchema } from "../protocol/policy.ts";

const wordsSchema = z.union([
  z.string().regex(/\S/, "a program and its arguments, like: git push ...").max(1_000),
  z.array(z.string().min(1).max(1_000)).min(1).max(100),
]);

const ruleSchema = z.strictObject({
  /** How it is called where it is told; default: its place in the list. */
  name: nameSchema.optional(),
  decision: decisionSchema,
  /** Words as patterns: * is any text in one word, ... any further words. */
  command: wordsSchema,
  /** For whoever is asked or refused. */
  reason: z.string().min(1).max(500).optional(),
});

const protectedSchema = z.strictObject({
  path: z.string().regex(/^(?:\/|~\/|~$)/, "an absolute path, or one that begins with ~/"),
  /** any: also where a program only reads it. */
  access: z.enum(["write", "any"]).default("write"),
  decision: z.enum(["ask", "deny"]).default("ask"),
});

export const profilePolicySchema = z.strictObject({
  /** For commands that no rule fits. */
  default: decisionSchema.default("allow"),
  /** For what cannot be read, or is put together while it runs; default: ask. */
  opaque: decisionSchema.optional(),
  /** For sudo, su, doas and their like; default: ask. What they run is judged by the rules as well. */
  sudo: decisionSchema.optional(),
  protect: z.array(protectedSchema).max(200).default([]),
  rules: z.array(ruleSchema).max(500).default([]),
});
export type ProfilePolicy = z.output<typeof profilePolicySchema>;
