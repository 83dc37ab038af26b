// Redaction of every text in a value: rows of lists, notices as JSON, what a log line is made of. Done before it becomes
// one text, so that no quote or bracket around a secret is lost.
import { redactText } from "./redact-text.ts";

/** A copy in which no text has a secret; the value itself when there was none. Names of fields stay as they are. */
export function redactValue<Value>(value: Value): Value {
  // Each text is replaced by a text, each object by one with the same fields.
  return redactUnknown(value, new Map()) as Value;
}

function redactUnknown(value: unknown, done: Map<object, unknown>): unknown {
  if (typeof value === "string") return redactText(value).text;
  if (typeof value !== "object" || value === null) return value;
  const known = done.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) return redactList(value, done);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isRecord = prototype === Object.prototype || prototype === null || value instanceof Error;
  return isRecord ? redactFields(value, done) : value;
}

function redactList(list: readonly unknown[], done: Map<object, unknown>): unknown {
  const copy: unknown[] = [];
  done.set(list, copy);
  for (const item of list) copy.push(redactUnknown(item, done));
  return copy.some((item, index) => item !== list[index]) ? copy : list;
}

/** Also the fields that a loop does not see: message and stack of an error. */
function redactFields(value: object, done: Map<object, unknown>): unknown {
  const fields = Object.getOwnPropertyDescriptors(value) as Record<string, PropertyDescriptor>;
  const copy: object = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  done.set(value, copy);
  let isChanged = false;
  for (const [name, field] of Object.entries(fields)) {
    // The stack of an error is made when it is asked for.
    const isRead = "value" in field || value instanceof Error;
    const before: unknown = isRead ? Reflect.get(value, name) : undefined;
    const after = redactUnknown(before, done);
    isChanged ||= after !== before;
    const { enumerable = false } = field;
    const replaced = { value: after, enumerable, writable: true, configurable: true };
    Object.defineProperty(copy, name, isRead ? replaced : field);
  }
  return isChanged ? copy : value;
}
