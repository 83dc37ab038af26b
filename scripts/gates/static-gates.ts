// The gates that only read: format, lint, types. Each tool tells how many files it looked at.
import type { Gate } from "./gate.ts";
import { countIn, runTool } from "./run-tool.ts";

export const formatGate: Gate = {
  name: "format",
  async run() {
    const { code, output } = await runTool("oxfmt", ["--check"]);
    return { ok: code === 0, seen: countIn(output, / on (\d+) files/), unit: "files", details: output };
  },
};

export const lintGate: Gate = {
  name: "lint",
  async run() {
    const { code, output } = await runTool("oxlint", ["--type-aware", "--deny-warnings"]);
    return { ok: code === 0, seen: countIn(output, / on (\d+) files/), unit: "files", details: output };
  },
};

/** Each has its own surroundings: Node, a browser, or both where functions are handed to a page. */
const projects = [
  "tsconfig.json",
  "web/tsconfig.json",
  "test/web/tsconfig.json",
  "bench/dashboard/tsconfig.json",
];

export const typesGate: Gate = {
  name: "types",
  async run() {
    const results = await Promise.all(
      projects.map((project) => runTool("tsc", ["--noEmit", "--listFiles", "-p", project])),
    );
    const lines = results.flatMap(({ output }) => output.split("\n"));
    const files = lines.filter((line) => line.startsWith("/") && !line.includes("/node_modules/"));
    const complaints = lines.filter((line) => !line.startsWith("/"));
    const ok = results.every(({ code }) => code === 0);
    return { ok, seen: new Set(files).size, unit: "files", details: complaints.join("\n") };
  },
};
