// A viewer of a terminal comes in: any role may look, only one that may type gets the keyboard.
import { hasRole } from "../protocol/access.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { operations, type Caller } from "../protocol/operations.ts";
import type { OperationContext } from "./context.ts";
import { Scope } from "./rights/scope.ts";
import type { OpenView, ViewOpening } from "./runtime.ts";

/** @throws HoldfastError PROCESS_NOT_FOUND, NOT_A_TERMINAL, OUTPUT_TRIMMED, NOT_YOURS */
export async function openView(
  { processes, terminals }: OperationContext,
  { id: reference, ...options }: ViewOpening,
  caller: Caller,
): Promise<OpenView> {
  const { who } = caller;
  const scope = Scope.of(processes, caller);
  // What a session sees through a view is not redacted: it must be able to change it, as a person is.
  const record = await processes.registry.find(
    scope === undefined ? reference : await scope.process(reference, "control"),
  );
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
