// The verbs of terminals: a part of the one table, operations.ts.
import { operation, type Operation } from "./operation.ts";
import * as t from "./terminals.ts";

export const terminalOperations = {
  "process.resize": operation(
    "Set the terminal size of a process.",
    t.resizeInputSchema,
    t.resizeOutputSchema,
    "changes",
  ),
  "process.screen": operation(
    "Tell what is on the screen of a terminal.",
    t.screenInputSchema,
    t.screenOutputSchema,
    "reads",
  ),
  "terminal.open": operation(
    "Open a terminal by a key, or the one that has it.",
    t.terminalOpenInputSchema,
    t.terminalOpenOutputSchema,
    "changes",
  ),
  "terminal.list": operation(
    "List terminals that were opened by a key.",
    t.terminalListInputSchema,
    t.terminalListOutputSchema,
    "reads",
  ),
  "view.list": operation(
    "List who looks at terminals now.",
    t.viewListInputSchema,
    t.viewListOutputSchema,
    "reads",
  ),
  "view.close": operation(
    "Close every view of a process; the process goes on.",
    t.viewCloseInputSchema,
    t.viewCloseOutputSchema,
    "changes",
  ),
} as const satisfies Record<string, Operation>;
