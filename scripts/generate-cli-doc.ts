// Writes docs/cli.md from the commands and the operations table.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderCliDoc } from "../src/cli/cli-doc.ts";

writeFileSync(join(import.meta.dirname, "../docs/cli.md"), await renderCliDoc());
