// Ordinary code, documents and lock files come through unchanged. What is changed is listed, each a secret by its form:
// an example password in an address, a header in a test. A new line here is either one more of them or a rule to mend.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RedactionRun } from "../../src/redaction/redaction-run.ts";
import { ruleSet } from "../../src/redaction/rules/rule-set.ts";
import { listFiles, repository, type SourceFile } from "../architecture/source-files.ts";

/** File and kind, and what would be hidden. */
function hitsIn({ path, text }: SourceFile): (readonly [string, string])[] {
  const hits: [string, string][] = [];
  let at = 0;
  const run = new RedactionRun(ruleSet(), {
    keep: (_text, length) => (at += length),
    hide: (kind, length, isContinued) => {
      if (!isContinued) hits.push([`${path} ${kind}`, text.slice(at, at + length)]);
      at += length;
    },
  });
  run.push(text);
  run.finish("closed");
  return hits;
}

function lengthOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { text }) => sum + text.length, 0);
}

function packageFiles(name: string): SourceFile[] {
  const folder = join(repository, "node_modules", name);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:[cm]?[jt]s|json|md|ya?ml)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => ({ path: path.slice(folder.length - name.length), text: readFileSync(path, "utf8") }));
}

test("of this repository: nothing but what its tests write down", () => {
  const files = [
    ...listFiles([""], /\.(?:ts|mjs|json|md)$/),
    ...listFiles(["src", "docs", "bench", "scripts", "keeper"], /\.(?:ts|mjs|js|json|md|c|h)$/),
  ].filter(({ path }) => !path.endsWith(".test.ts") && !path.includes("node_modules/"));
  expect(files.flatMap(hitsIn)).toEqual([]);
  expect(files.length).toBeGreaterThan(400);
  expect(lengthOf(files)).toBeGreaterThan(1_000_000);
});

/** By file and kind; what is hidden may be long. */
const examples = {
  "zod/src/v4/classic/tests/string.test.ts url-password": ["flabada"],
  "zod/src/v4/classic/tests/template-literal.test.ts url-password": Array(8).fill("password"),
  "zod/src/v4/mini/tests/string.test.ts jwt": Array(2).fill(expect.stringMatching(/^ey[\w.-]{100,}$/)),
  "fastify/test/scripts/validate-ecosystem-links.test.js authorization": ["my-token"],
  "@fastify/websocket/README.md header": ["some-random-key"],
  "@fastify/websocket/test/inject.test.js header": ["some-random-key"],
  "pino/docs/transports.md url-password": ["guest", "password"],
  "pino/test/browser-redaction.test.js header": ["sensitive"],
  "@types/node/http.d.ts url-password": ["xyz"],
  "@types/node/https.d.ts url-password": ["xyz"],
  "@types/node/url.d.ts url-password": ["b", "b", "xyz", "123", "xyz", "xyz"],
};

test("of its dependencies: only examples of secrets", () => {
  const names = "zod fastify @fastify/websocket pino ws kysely yaml re2js fast-check @types/node".split(" ");
  const files = names.flatMap(packageFiles);
  const hits = Map.groupBy(files.flatMap(hitsIn), ([where]) => where);
  const found = [...hits].map(([where, some]) => [where, some.map(([, hidden]) => hidden)]);
  expect(Object.fromEntries(found)).toEqual(examples);
  expect(lengthOf(files)).toBeGreaterThan(10_000_000);
});
