// A viewer of a terminal comes in: any role may look, only one that may type gets the keyboard.
import { hasRole } from "../protocol/access.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { operations, type Caller } from "../protocol/operations.ts";
import type { OperationContext } from "./context.ts";
import type { OpenView, ViewOpening } from "./runtime.ts";

/** @throws HoldfastError PROCESS_NOT_FOUND, NOT_A_TERMINAL, OUTPUT_TRIMMED */
export async function openView(
  { processes, terminals }: OperationContext,
  { id: reference, ...options }: ViewOpening,
  { who }: Caller,
): Promise<OpenView> {
  const record = await processes.registry.find(reference);
  const { role } = operations["process.write"];
  const mayType = who === undefined || hasRole(who.role, role);
  const view = terminals.view(record, { ...options, wantsKeyboard: options.wantsKeyboard && mayType });
  const takeKeyboard = (): void => {
    if (!mayType) {
      throw new HoldfastError("ROLE_REQUIRED", `Typing into a terminal needs the role ${role}.`, {
        details: { role },
      });
    }
    view.takeKeyboard();
  };
  return { ...view, takeKeyboard, process: record.id };
}
