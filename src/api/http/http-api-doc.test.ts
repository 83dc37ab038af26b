import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { operationNames } from "../../protocol/operations.ts";
import { renderHttpApiDoc } from "./http-api-doc.ts";
import { renderOpenApi } from "./openapi.ts";
import { typeText } from "./schema-text.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/http-api.md"), "utf8");

test("docs/http-api.md is what `node scripts/generate-http-api-doc.ts` writes", () => {
  expect(page).toBe(renderHttpApiDoc());
});

test("the page has a heading for every verb", () => {
  const headings = [...page.matchAll(/^### (\S+)$/gm)].map((match) => match[1]);
  expect(headings).toEqual(expect.arrayContaining(operationNames));
});

test("the OpenAPI document has every verb, and every reference in it leads somewhere", () => {
  const document = renderOpenApi("1.2.3");
  const paths = Object.keys(document["paths"] as object);
  expect(paths).toEqual(operationNames.map((name) => `/v1/${name}`));
  const schemas = (document["components"] as { schemas: object }).schemas;
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(2 * operationNames.length);
  expect(references.map((match) => match[1]).filter((name) => !Object.hasOwn(schemas, name ?? ""))).toEqual(
    [],
  );
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});

test("a schema is told in one line", () => {
  expect(typeText({ type: "integer", exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER })).toBe(
    "integer ≥ 1",
  );
  expect(typeText({ type: "integer", minimum: 1, maximum: 9 })).toBe("integer 1–9");
  expect(typeText({ type: ["string", "null"] })).toBe("string or null");
  expect(typeText({ enum: ["a", "b"] })).toBe('"a" \\| "b"');
  expect(typeText({ type: "array", items: { $ref: "#/components/schemas/Process" } })).toBe(
    "list of Process",
  );
  expect(
    typeText({
      type: "object",
      required: ["a"],
      properties: { a: { type: "string" }, b: { type: "boolean" } },
    }),
  ).toBe("{ a: string, b?: boolean }");
  expect(typeText({ type: "object", additionalProperties: { type: "string" } })).toBe(
    "map of name to string",
  );
});
