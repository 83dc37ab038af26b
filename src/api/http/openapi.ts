// The OpenAPI 3.1 document: every verb of the operations table, with the schemas it is validated by.
import { z } from "zod";
import { errorBodySchema, listedProcessSchema } from "../../protocol/control.ts";
import { errorRegistry } from "../../protocol/errors.ts";
import { eventSchema } from "../../protocol/events.ts";
import { operationNames, operations } from "../../protocol/operations.ts";
import {
  limitsSchema,
  processDetailSchema,
  processExitSchema,
  processViewSchema,
} from "../../protocol/process.ts";
import { usageUpdateSchema } from "../../protocol/usage.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schemas that more than one answer uses, by the name they have in the document. */
const sharedOutputs = {
  Error: z.object({ error: errorBodySchema }),
  Event: eventSchema,
  Exit: processExitSchema,
  Limits: limitsSchema,
  ListedProcess: listedProcessSchema,
  Process: processViewSchema,
  ProcessDetail: processDetailSchema,
  UsageUpdate: usageUpdateSchema,
} as const satisfies Record<string, z.ZodType>;

export const sharedSchemaNames = Object.keys(sharedOutputs) as (keyof typeof sharedOutputs)[];

/** Every schema of the document, references between them as in an OpenAPI document. */
export function componentSchemas(): Record<string, JsonSchema> {
  const inputs = Object.fromEntries(operationNames.map((name) => [`${name}.input`, operations[name].input]));
  const outputs = Object.fromEntries(
    operationNames.map((name) => [`${name}.output`, operations[name].output]),
  );
  return { ...toJsonSchemas(inputs, "input"), ...toJsonSchemas({ ...sharedOutputs, ...outputs }, "output") };
}

function toJsonSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: "input" | "output",
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  const aliases: Record<string, JsonSchema> = {};
  for (const [id, schema] of Object.entries(schemas)) {
    const known = registry.get(schema)?.id;
    // One schema has one name in a registry; its second user refers to the first.
    if (known === undefined) registry.add(schema, { id });
    else aliases[id] = { $ref: reference(known) };
  }
  const made = z.toJSONSchema(registry, {
    io,
    uri: reference,
    unrepresentable: "any",
    // Both sides pass over fields they do not know: that is how an old client works with a new daemon.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  const named = Object.entries(made.schemas).map(([id, schema]): [string, JsonSchema] => {
    const { $schema: _dialect, $id: _address, ...rest } = schema;
    return [id, rest];
  });
  return { ...Object.fromEntries(named), ...aliases };
}

function reference(id: string): string {
  return `#/components/schemas/${id}`;
}

function json(id: string): JsonSchema {
  return { "application/json": { schema: { $ref: reference(id) } } };
}

export function renderOpenApi(version: string): JsonSchema {
  const failure = {
    description: `The code decides the status: ${Object.keys(errorRegistry).join(", ")}.`,
    content: json("Error"),
  };
  const paths = operationNames.map((name) => [
    `/v1/${name}`,
    {
      post: {
        operationId: name,
        summary: operations[name].summary,
        "x-holdfast-reads": operations[name].reads,
        "x-holdfast-role": operations[name].role,
        requestBody: { content: json(`${name}.input`) },
        responses: {
          200: { description: "What was asked for.", content: json(`${name}.output`) },
          default: failure,
        },
      },
    },
  ]);
  return {
    openapi: "3.1.0",
    info: { title: "Holdfast", version },
    paths: Object.fromEntries(paths) as JsonSchema,
    components: { schemas: componentSchemas() },
  };
}
