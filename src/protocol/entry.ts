// The verbs of entering by the network: the link a browser comes in by, and tokens of programs.
import { z } from "zod";
import { roles } from "./access.ts";
import { operation, type Operation } from "./operation.ts";

const time = z.iso.datetime();

export const dashboardOpenInputSchema = z.object({});
export const dashboardOpenOutputSchema = z.object({
  /** Where the dashboard is. */
  address: z.string(),
  /** Lets one browser in, once. */
  link: z.string(),
  expiresAt: time,
});

const tokenName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, "1-63 letters, digits, dots, dashes or underscores");

export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  createdAt: time,
  createdBy: z.string(),
  /** Null: never. */
  expiresAt: time.nullable(),
  /** Within some minutes. Null: never. */
  usedAt: time.nullable(),
});
export type TokenView = z.infer<typeof tokenSchema>;

export const tokenCreateInputSchema = z.object({
  name: tokenName,
  role: z.enum(roles).default("viewer"),
  /** How long it counts; null: until it is revoked. */
  forMs: z.int().min(1_000).max(315_360_000_000).nullable().default(2_592_000_000),
});
export const tokenCreateOutputSchema = tokenSchema.extend({
  /** Told this once, and kept nowhere. */
  token: z.string(),
  /** Where it counts. */
  address: z.string(),
});
export const tokenListInputSchema = z.object({});
export const tokenListOutputSchema = z.object({ tokens: z.array(tokenSchema) });
export const tokenRevokeInputSchema = z.object({
  /** Its id or its name. */
  token: z.string().min(1).max(64),
});

export const entryOperations = {
  "dashboard.open": operation(
    "Give a link that lets one browser in, once; for persons only.",
    dashboardOpenInputSchema,
    dashboardOpenOutputSchema,
    "changes",
    "admin",
  ),
  "token.create": operation(
    "Make a token that a program enters with by the network; for persons only.",
    tokenCreateInputSchema,
    tokenCreateOutputSchema,
    "changes",
    "admin",
  ),
  "token.list": operation("List tokens.", tokenListInputSchema, tokenListOutputSchema, "reads", "admin"),
  "token.revoke": operation("Take a token back.", tokenRevokeInputSchema, tokenSchema, "changes", "admin"),
} as const satisfies Record<string, Operation>;
