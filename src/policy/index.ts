// The door of the policy: what may run, and who says so.
export { Policy } from "./policy.ts";
export type { Judgement, PolicyOptions } from "./policy.ts";
export type { Patience, StartRequest } from "./requests.ts";
export { howToAnswer } from "./refusals.ts";
export { shownWords } from "./shell/read-command.ts";
