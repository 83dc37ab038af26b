// The shape of a confinement: what commands of one profile may write, and what they do not see.
import { z } from "zod";

const pathSchema = z.string().regex(/^(?:\/|~\/|~$)/, "an absolute path, or one that begins with ~/");
const pathsSchema = z.array(pathSchema).max(50).default([]);

export const profileConfinementSchema = z.strictObject({
  /** Which commands are confined although nobody asks for it; sessions: those of a session or a task. */
  require: z.enum(["never", "sessions", "always"]).default("never"),
  /** What may be written besides temporary directories; without any, the working directory of the command. */
  write: pathsSchema,
  /** What is not there for them, besides Holdfast's own places and sockets that run commands. */
  hide: pathsSchema,
});
