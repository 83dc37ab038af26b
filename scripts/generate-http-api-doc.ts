// Writes docs/http-api.md from the operations table.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderHttpApiDoc } from "../src/api/http/http-api-doc.ts";

writeFileSync(join(import.meta.dirname, "../docs/http-api.md"), renderHttpApiDoc());
