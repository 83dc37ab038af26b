import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agents } from "../agent-table.ts";
import { renderAgentPages } from "./agent-pages.ts";

const docs = join(import.meta.dirname, "../../../docs");

test("docs/agents.md and docs/agents/*.md are what `node scripts/generate-agent-docs.ts` writes", () => {
  const pages = renderAgentPages();
  for (const [path, text] of Object.entries(pages))
    expect(readFileSync(join(docs, path), "utf8"), path).toBe(text);
  expect(Object.keys(pages)).toHaveLength(agents.length + 1);
});

test("every agent has a page, and no page is of an agent nobody knows", () => {
  const pages = readdirSync(join(docs, "agents")).map((name) => name.replace(/\.md$/, ""));
  expect(pages.toSorted()).toEqual(agents.map(({ name }) => name).toSorted());
  expect(agents.length).toBeGreaterThanOrEqual(16);
});

test("an agent that can be started again is in the recipes, and every recipe's agent says so", () => {
  const recipes = readFileSync(join(docs, "notifications.md"), "utf8");
  const named = [...recipes.matchAll(/^\| ([^|]+) \| `\["sh"/gm)].map(([, title = ""]) =>
    title.replace(/ CLI$/, ""),
  );
  const able = agents
    .filter(({ canResume }) => canResume === true)
    .map(({ title }) => title.replace(/ CLI$/, ""));
  expect(able.toSorted()).toEqual(named.toSorted());
});

test("each names its vendor's pages, and no two write the same file", () => {
  for (const { name, sources } of agents) {
    expect(sources.length, name).toBeGreaterThan(0);
    for (const source of sources) expect(source).toMatch(/^https:\/\//);
  }
  const files = agents.map(({ file }) => JSON.stringify([file.directory, file.names]));
  expect(new Set(files).size).toBe(agents.length);
  const projectFiles = agents.flatMap((agent) => agent.projectFiles ?? []);
  expect(new Set(projectFiles).size).toBe(projectFiles.length);
});
