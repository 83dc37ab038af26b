import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { renderConfigDoc } from "./config-doc.ts";
import { readFileLayer } from "./config-file.ts";
import { configTable, describeKeys } from "./keys.ts";
import { loadConfig, loadKeys } from "./load-config.ts";
import { key } from "./key.ts";
import { configSchema } from "./schema.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/configuration.md"), "utf8");

describe("docs/configuration.md", () => {
  test("is what `node scripts/generate-config-doc.ts` writes", () => {
    expect(page).toBe(renderConfigDoc());
  });

  test("shows a file that is valid and says the defaults", () => {
    const text = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? "";
    const layer = readFileLayer(configTable, { file: "f", source: "home", content: { text } });
    expect(layer.problems).toEqual([]);
    for (const { name, default: value } of configTable.keys.values()) {
      expect(layer.given.get(name)?.value ?? null, name).toEqual(value);
    }
  });
});

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const nullableSamples = [
  "/bin/sh",
  "1",
  "true",
  "[]",
  '["a"]',
  "https://holdfast.example",
  '{"certificateFile":"/a","keyFile":"/b"}',
  '{"addresses":["10.0.0.0/8"]}',
];

describe("every key of the schema", () => {
  const { resolved } = loadConfig({ home: "/nowhere", environment: {} });

  test.each([...configTable.keys.values()])(
    "$name has a variable, an explanation and a line in the docs",
    (one) => {
      const row = page.split("\n").find((line) => line.startsWith(`| \`${one.name}\` |`)) ?? "";
      expect(row).toContain(one.description);
      expect(row).toContain(`\`${one.variable}\``);
      expect(row).toContain(
        `${one.needsRestart ? "at restart" : "at once"} | ${one.mayProjectSet ? "yes" : "no"} |`,
      );
      expect(resolved?.explanations.get(one.name)).toMatchObject({
        value: one.default,
        source: "default",
        description: one.description,
        variable: one.variable,
      });
      // Without a default there is no value at hand: the first of a few that the key takes.
      const samples = one.default === null ? nullableSamples : [textOf(one.default)];
      const loads = samples.map((text) =>
        loadConfig({ home: "/nowhere", environment: { [one.variable]: text } }),
      );
      const loaded = loads.find(({ problems }) => problems.length === 0);
      expect(loaded?.resolved?.explanations.get(one.name)).toMatchObject({
        ...(one.default === null ? {} : { value: one.default }),
        source: "environment",
        place: one.variable,
      });
    },
  );
});

describe("a key added to the schema", () => {
  const facts = { unit: null, needsRestart: true };
  const added = z
    .strictObject({
      names: key(z.array(z.string()).default([]), { description: "Some names.", ...facts }),
      sizes: key(z.record(z.string(), z.int()).default({}), { description: "Some sizes.", ...facts }),
      isLoud: key(z.boolean().default(false), { description: "Whether it is loud.", ...facts }),
    })
    .prefault({});
  const table = describeKeys(z.strictObject({ ...configSchema.shape, added }));
  const load = (environment: NodeJS.ProcessEnv, text = "") => {
    const home = { file: "f", source: "home", content: { text } } as const;
    return loadKeys(table, { home: "/nowhere", environment }, [home]);
  };

  test("is in the docs", () => {
    const doc = renderConfigDoc(table);
    expect(doc).toContain(
      "| `added.names` | Some names. | `[]` | list of string | `HOLDFAST_ADDED_NAMES` | at restart | no |",
    );
    expect(doc).toContain("| `added.sizes` | Some sizes. | `{}` | map of names to integer |");
    expect(doc).toContain("  isLoud: false\n");
  });

  test("is read from files and variables, lists and maps as JSON, and explained", () => {
    const text = "added:\n  names: [a, b]\n  sizes:\n    x: 1\n";
    const { resolved } = load({ HOLDFAST_ADDED_NAMES: '["c"]', HOLDFAST_ADDED_IS_LOUD: "true" }, text);
    expect(resolved?.config.added).toEqual({ names: ["c"], sizes: { x: 1 }, isLoud: true });
    expect(Object.isFrozen(resolved?.config.added.names)).toBe(true);
    expect(resolved?.explanations.get("added.names")?.candidates).toEqual([
      { value: ["c"], source: "environment", place: "HOLDFAST_ADDED_NAMES" },
      { value: ["a", "b"], source: "home", place: "f:2" },
      { value: [], source: "default", place: "default" },
    ]);
  });

  test("is checked everywhere", () => {
    expect(load({ HOLDFAST_ADDED_NAMES: "c", HOLDFAST_ADDED_IS_LOUD: "yes" }).problems).toMatchObject([
      { key: "added.names", message: '"c" cannot be used: Invalid input: expected array, received string' },
      { key: "added.isLoud" },
    ]);
    expect(load({}, "added:\n  sizes: {x: big}\n").problems).toMatchObject([
      { line: 2, key: "added.sizes", message: expect.stringContaining("at x: ") as string },
    ]);
    expect(load({ HOLDFAST_ADDED_NAME: "[]" }).problems[0]?.message).toContain("HOLDFAST_ADDED_NAMES");
  });

  test("whose value may be secret is not quoted", () => {
    const environment = { HOLDFAST_DASHBOARD_USERS: '{"ada":{"hash":"hunter2","role":"admin"}}' };
    const { problems } = loadConfig({ home: "/nowhere", environment });
    expect(problems).toMatchObject([
      { key: "dashboard.users", message: expect.stringContaining("at ada.hash") as string },
    ]);
    expect(JSON.stringify(problems)).not.toContain("hunter2");
  });

  test("may have to fit another: what does not is told where it stands", () => {
    const fitting = describeKeys(
      z.strictObject({ ...configSchema.shape }).refine(({ wait }) => wait.defaultMs <= wait.maxMs, {
        path: ["wait", "maxMs"],
        error: "below the default",
      }),
    );
    const content = { text: "wait:\n  maxMs: 5\n" };
    const files = [{ file: "f", source: "home", content }] as const;
    const { problems, resolved } = loadKeys(fitting, { home: "/nowhere", environment: {} }, files);
    expect(resolved).toBeUndefined();
    expect(problems).toEqual([
      { file: "f", line: 2, key: "wait.maxMs", message: "5 cannot be used: below the default" },
    ]);
  });
});
