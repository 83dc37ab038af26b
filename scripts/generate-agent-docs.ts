// Writes docs/agents.md and docs/agents/*.md from the table of agents.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderAgentPages } from "../src/agents/docs/agent-pages.ts";

const docs = join(import.meta.dirname, "../docs");
mkdirSync(join(docs, "agents"), { recursive: true });
for (const [path, text] of Object.entries(renderAgentPages())) writeFileSync(join(docs, path), text);
