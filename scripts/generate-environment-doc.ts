// Writes docs/environment.md from the lists of names.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderEnvironmentDoc } from "../src/processes/start/environment-doc.ts";

writeFileSync(join(import.meta.dirname, "../docs/environment.md"), renderEnvironmentDoc());
