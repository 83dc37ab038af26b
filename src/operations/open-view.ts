// A viewer of a terminal comes in: any role may look, only one that may type gets the keyboard.
import { hasRole } from "../protocol/access.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { InputFrame } from "../protocol/live-frames.ts";
import { operations, type Caller } from "../protocol/operations.ts";
import { writeBytes } from "../processes/index.ts";
import { recordAct, requireRole } from "./authorise.ts";
import type { OperationContext } from "./context.ts";
import { Scope } from "./rights/scope.ts";
import type { OpenView, ViewOpening } from "./runtime.ts";

/** @throws HoldfastError PROCESS_NOT_FOUND, NOT_A_TERMINAL, OUTPUT_TRIMMED, NOT_YOURS */
export async function openView(
  context: OperationContext,
  { id: reference, ...options }: ViewOpening,
  caller: Caller,
): Promise<OpenView> {
  const { processes, terminals } = context;
  const { who } = caller;
  const scope = Scope.of(processes, caller);
  // What a session sees through a view is not redacted: it must be able to change it, as a person is.
  const record = await processes.registry.find(
    scope === undefined ? reference : await scope.process(reference, "control"),
  );
  const { role } = operations["process.write"];
  const mayType = who === undefined || hasRole(who.role, role);
  // By its writer a viewer gets its keyboard back: not one that may not type any more.
  const asked = mayType ? options : { ...options, wantsKeyboard: false, writer: undefined };
  const view = terminals.view(record, asked);
  const takeKeyboard = (): void => {
    if (!mayType) {
      throw new HoldfastError("ROLE_REQUIRED", `Typing into a terminal needs the role ${role}.`, {
        details: { role },
      });
    }
    view.takeKeyboard();
  };
  const type = async ({ sequence, bytes }: InputFrame): Promise<number> => {
    requireRole(context, "process.write", caller);
    view.requireKeyboard();
    // A share may have been taken back since.
    await scope?.check(record, "control");
    const leave = processes.activity.begin(caller.session);
    try {
      await recordAct(context, { name: "process.write", input: { id: record.id }, caller });
      const writer = { id: requireWriter(options.writer), sequence };
      return await writeBytes(processes, record.id, {
        writer,
        bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      });
    } finally {
      leave();
    }
  };
  return { ...view, takeKeyboard, type, process: record.id };
}

/** @throws HoldfastError INVALID_ARGUMENT */
function requireWriter(writer: string | undefined): string {
  if (writer === undefined) throw new HoldfastError("INVALID_ARGUMENT", "the address names no writer");
  return writer;
}
