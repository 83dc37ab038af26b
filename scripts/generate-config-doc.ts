// Writes docs/configuration.md from the configuration schema.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderConfigDoc } from "../src/config/config-doc.ts";

writeFileSync(join(import.meta.dirname, "../docs/configuration.md"), renderConfigDoc());
