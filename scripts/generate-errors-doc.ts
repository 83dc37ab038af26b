// Writes docs/errors.md from the error registry.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderErrorsDoc } from "../src/protocol/errors-doc.ts";

writeFileSync(join(import.meta.dirname, "../docs/errors.md"), renderErrorsDoc());
