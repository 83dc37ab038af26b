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

export const typesGate: Gate = {
  name: "types",
  async run() {
    const { code, output } = await runTool("tsc", ["--noEmit", "--listFiles"]);
    const lines = output.split("\n");
    const files = lines.filter((line) => line.startsWith("/") && !line.includes("/node_modules/"));
    const complaints = lines.filter((line) => !line.startsWith("/"));
    return { ok: code === 0, seen: files.length, unit: "files", details: complaints.join("\n") };
  },
};
