// What the tool `notifications` takes.
import { z } from "zod";
import { booleanOf, numberOf, textOf } from "./coerced.ts";

const shape = {
  limit: numberOf(z.int().positive().max(100).optional()).describe("At most so many. Default: 20."),
  keep: booleanOf(z.boolean().optional()).describe("Only look: what is shown stays unseen."),
  session: textOf(z.string().min(1).max(256).optional()).describe(
    "Key of another session than yours; leave it out.",
  ),
};

export const notificationsSchema = z.object(shape);
export type NotificationsInput = z.output<typeof notificationsSchema>;
