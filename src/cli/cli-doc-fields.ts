// Schemas in the words of a reader.
import { z } from "zod";

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }) as JsonSchema; // a schema of objects and unions
}

function typeText(schema: JsonSchema): string {
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts !== undefined) return [...new Set(parts.map(typeText))].join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => `"${String(value)}"`).join(", ");
  if (schema.type === "array") return `list of ${typeText(schema.items ?? {})}`;
  return typeof schema.type === "string" ? schema.type : (schema.type?.join(" or ") ?? "anything");
}

function fieldsText({ properties = {}, required = [] }: JsonSchema): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const inner = schema.type === "array" ? schema.items : undefined;
      const members = inner?.properties === undefined || isProcess(inner) ? "" : ` of ${fieldsText(inner)}`;
      const absent = required.includes(name) ? "" : " (may be absent)";
      return isProcess(inner ?? schema)
        ? `\`${name}\` (a process object)${absent}`
        : `\`${name}\`${absent}${members && ` (list${members})`}`;
    })
    .join(", ");
}

function isProcess({ properties }: JsonSchema): boolean {
  return properties?.["outputBytes"] !== undefined && properties["argv"] !== undefined;
}

/** "a process object", or "an object with …". */
export function typeOf(schema: z.ZodType): string {
  const json = toJsonSchema(schema);
  return isProcess(json) ? "[a process object](#the-process-object)" : `one object: ${fieldsText(json)}`;
}

/** One row per field. */
export function fieldTable(schema: z.ZodType, without: readonly string[] = []): string {
  const { properties = {} } = toJsonSchema(schema);
  const rows = Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .map(([name, field]) => `| \`${name}\` | ${typeText(field)} |\n`);
  return `| field | type |\n|---|---|\n${rows.join("")}`;
}
