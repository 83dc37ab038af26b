import type { Handler } from "./context.ts";
import { requirePerson } from "./require-person.ts";

const personal = ["policy.", "confinement.", "dashboard."];

/** What commands are judged or confined by, and who may enter, is changed by a person only. @throws HoldfastError PERSON_REQUIRED */
export const configSet: Handler<"config.set"> = async (context, { input, caller }) => {
  if (!personal.some((group) => input.key.startsWith(group)))
    return context.config.set(input.key, input.value);
  const by = await requirePerson(context, caller);
  const value = context.config.set(input.key, input.value);
  await context.policy.recordChange(input.key, by, caller.requestId);
  return value;
};
