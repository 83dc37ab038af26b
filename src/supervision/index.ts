// Service managers: the unit of a home, and what can be wrong with it.
export type { Check } from "./check.ts";
export { commandLineProgram } from "./command-line-program.ts";
export { installUnit, removeUnit, type Installation, type Removal } from "./install-unit.ts";
export {
  isManagerRunning,
  runCommand,
  unitCommands,
  unitSubState,
  type Command,
  type UnitCommands,
} from "./service-manager.ts";
export { enabledUnit, startUnit } from "./start-unit.ts";
export { lingers } from "./linger-check.ts";
export { checkSupervision } from "./supervision-checks.ts";
export { temporaryPlaceOf, temporaryProgram } from "./temporary-place.ts";
export type { UnitQuestion } from "./unit-check.ts";
export {
  planUnit,
  type DaemonFacts,
  type Manager,
  type Scope,
  type UnitPlan,
  type UnitRequest,
} from "./unit-plan.ts";
export { unitText } from "./unit-text.ts";
