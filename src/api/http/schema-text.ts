// JSON Schema as short text for people: what stands in the tables of docs/http-api.md.
import type { JsonSchema } from "./openapi.ts";

/** One line for a schema. */
export function typeText(schema: JsonSchema): string {
  const reference = schema["$ref"];
  if (typeof reference === "string") return reference.replace(/^.*\//, "");
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"]))
    return schema["enum"].map((value) => JSON.stringify(value)).join(" \\| ");
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return choices.map((choice) => typeText(choice as JsonSchema)).join(" or ");
  const { type } = schema;
  if (Array.isArray(type))
    return type.map((one) => typeText({ ...schema, type: one as unknown })).join(" or ");
  if (type === "array") return `list of ${typeText((schema["items"] ?? {}) as JsonSchema)}`;
  if (type === "object") return objectText(schema);
  if (type === "integer") return `integer${rangeText(schema)}`;
  if (type === "string" && typeof schema["format"] === "string") return schema["format"];
  return typeof type === "string" ? type : "anything";
}

function objectText(schema: JsonSchema): string {
  const properties = Object.entries(propertiesOf(schema));
  if (properties.length > 0) {
    const required = requiredOf(schema);
    const fields = properties.map(([name, field]) => {
      return `${name}${required.has(name) ? "" : "?"}: ${typeText(field)}`;
    });
    return `{ ${fields.join(", ")} }`;
  }
  const values = schema["additionalProperties"];
  return values === undefined ? "{ }" : `map of name to ${typeText(values as JsonSchema)}`;
}

/** A bound that the number type has anyway says nothing. */
function rangeText(schema: JsonSchema): string {
  const above = schema["exclusiveMinimum"];
  const least = typeof above === "number" ? above + 1 : schema["minimum"];
  const most = schema["maximum"];
  const hasLeast = typeof least === "number" && least > Number.MIN_SAFE_INTEGER;
  const hasMost = typeof most === "number" && most < Number.MAX_SAFE_INTEGER;
  if (hasLeast && hasMost) return ` ${least}–${most}`;
  if (hasLeast) return ` ≥ ${least}`;
  return hasMost ? ` ≤ ${most}` : "";
}

export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema["properties"] ?? {}) as Record<string, JsonSchema>; // of JSON Schema, by its own rules
}

export function requiredOf(schema: JsonSchema): ReadonlySet<string> {
  return new Set((schema["required"] ?? []) as string[]); // as above
}
