import type { Handler } from "./context.ts";
import { requirePerson } from "./require-person.ts";

/** What commands are judged or confined by is changed by a person only. @throws HoldfastError PERSON_REQUIRED */
export const configSet: Handler<"config.set"> = async (context, { input, caller }) => {
  const isPersons = input.key.startsWith("policy.") || input.key.startsWith("confinement.");
  if (!isPersons) return context.config.set(input.key, input.value);
  const by = await requirePerson(context, caller);
  const value = context.config.set(input.key, input.value);
  await context.policy.recordChange(input.key, by, caller.requestId);
  return value;
};
