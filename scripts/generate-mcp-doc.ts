// Writes what follows from the code into docs/mcp.md: the tools, and how large their answers are.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderTools, replaceSection, sizesMark, toolsMark } from "../src/mcp/docs/tools-doc.ts";
import { createRuntime } from "../src/sdk/index.ts";
import { measureAnswers, measuredConfig, sizesTable } from "./measure-mcp-answers.ts";

const path = join(import.meta.dirname, "../docs/mcp.md");

async function sizes(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "holdfast-doc-"));
  writeFileSync(join(home, "holdfast.yaml"), measuredConfig, { mode: 0o600 });
  const runtime = await createRuntime({ home, session: "measured" });
  try {
    return sizesTable(await measureAnswers(runtime.client));
  } finally {
    // With what its shell remembers, which is not in the home.
    await runtime.client.session.end({ session: "measured", graceMs: 0 });
    await runtime.close();
    const launcher = /^pid (\d+)$/m.exec(readFileSync(join(home, "launcher.lock"), "utf8"))?.[1];
    process.kill(Number(launcher), "SIGKILL");
    rmSync(home, { recursive: true, force: true });
  }
}

const page = replaceSection(readFileSync(path, "utf8"), toolsMark, renderTools());
writeFileSync(path, replaceSection(page, sizesMark, await sizes()));
