// The door of the terminals: what is drawn of processes that have one, and who looks at it.
export { Terminals } from "./terminals.ts";
export { isInDirectory, requireDirectory, terminalShell } from "./opened-terminals.ts";
export { endGraceMs, endIdleTerminals } from "./idle-terminals.ts";
export type { View, ViewOptions, ViewTold } from "./views.ts";
