// docs/errors.md, made from the registry: `node scripts/generate-errors-doc.ts` writes it, a test keeps it current.
import { errorRegistry, type ErrorDefinition } from "./errors.ts";

const introduction = `# Errors

Generated from \`src/protocol/errors.ts\` by \`node scripts/generate-errors-doc.ts\`. Every error has a code that does not change, a
message, \`details\` for programs and a hint for people. A process that fails is not an error: its exit is a result.

| code | category | HTTP | CLI exit | retry |
|---|---|---|---|---|
`;

export function renderErrorsDoc(): string {
  const entries: Array<[string, ErrorDefinition]> = Object.entries(errorRegistry);
  const rows = entries.map(([code, { category, httpStatus, exitCode, retryable }]) => {
    return `| [${code}](#${code.toLowerCase()}) | ${category} | ${httpStatus} | ${exitCode} | ${retryable ? "yes" : "no"} |\n`;
  });
  const sections = entries.map(([code, { summary, hint }]) => `\n## ${code}\n\n${summary} ${hint}\n`);
  return introduction + rows.join("") + sections.join("");
}
