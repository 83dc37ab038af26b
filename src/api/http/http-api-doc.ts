// docs/http-api.md, made from the operations table: `node scripts/generate-http-api-doc.ts` writes it, a test keeps it
// current.
import { operationNames, operations } from "../../protocol/operations.ts";
import { introduction } from "./http-api-introduction.ts";
import { componentSchemas, sharedSchemaNames, type JsonSchema } from "./openapi.ts";
import { propertiesOf, requiredOf, typeText } from "./schema-text.ts";

export function renderHttpApiDoc(): string {
  const schemas = componentSchemas();
  const process = propertiesOf(schemas["Process"] ?? {});
  const verbs = operationNames.map((name) => {
    const { summary, reads, role } = operations[name];
    const kind = `${reads ? "Changes nothing." : "Changes something."} Role: ${role}.`;
    const input = schemas[`${name}.input`] ?? {};
    const output = schemas[`${name}.output`] ?? {};
    return [
      `### ${name}`,
      `\`POST /v1/${name}\` ${summary} ${kind}`,
      inputTable(resolved(input, schemas)),
      outputText(output, process),
    ].join("\n\n");
  });
  const shapes = sharedSchemaNames.map((name) => {
    // Of itself, Process leaves nothing out.
    const known = name === "Process" ? { "": {} } : process;
    return `### ${name}\n\n${shapeText(schemas[name] ?? {}, known)}`;
  });
  return `${introduction}\n## Verbs\n\n${verbs.join("\n\n")}\n\n## Shapes\n\n${shapes.join("\n\n")}\n`;
}

/** A schema that only refers to another one, as that other one. */
function resolved(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const reference = schema["$ref"];
  return typeof reference === "string" ? (schemas[reference.replace(/^.*\//, "")] ?? {}) : schema;
}

function inputTable(schema: JsonSchema): string {
  const fields = Object.entries(propertiesOf(schema));
  if (fields.length === 0) return "Input: an empty object.";
  const required = requiredOf(schema);
  const rows = fields.map(([name, field]) => {
    const usual = "default" in field ? `\`${JSON.stringify(field["default"])}\`` : "";
    return `| ${name} | ${typeText(field)} | ${required.has(name) ? "required" : usual} |`;
  });
  return ["| input | type | default |", "|---|---|---|", ...rows].join("\n");
}

function outputText(schema: JsonSchema, process: Readonly<Record<string, JsonSchema>>): string {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return shapeText(schema, process);
  const name = reference.replace(/^.*\//, "");
  const isShared = (sharedSchemaNames as readonly string[]).includes(name);
  return isShared
    ? `Output: [${name}](#${name.toLowerCase()}).`
    : `Output: as ${name.replace(/\.output$/, "")}.`;
}

/** `process`: the fields that are told once, at Process. */
function shapeText(schema: JsonSchema, process: Readonly<Record<string, JsonSchema>>): string {
  const choices = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(choices)) {
    return `One of:\n\n${choices.map((choice) => `- ${typeText(choice as JsonSchema)}`).join("\n")}`;
  }
  const required = requiredOf(schema);
  const fields = Object.entries(propertiesOf(schema));
  const extendsProcess = Object.keys(process).every((name) => name in propertiesOf(schema));
  const own = extendsProcess ? fields.filter(([name]) => !(name in process)) : fields;
  const rows = own.map(([name, field]) => {
    return `| ${name}${required.has(name) ? "" : " (optional)"} | ${typeText(field)} |`;
  });
  const table = ["| output | type |", "|---|---|", ...rows].join("\n");
  return extendsProcess ? `Everything of a [Process](#process), and:\n\n${table}` : table;
}
