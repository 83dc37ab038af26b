// The part of docs/mcp.md that follows from the tool table: `node scripts/generate-mcp-doc.ts` writes it, a test keeps it current.
import { inputSchemaOf, toolNames, toolTable, type ToolName } from "../tools/tool-table.ts";

interface Argument {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly type?: string };
}

function typeText({ type = "any", enum: values, items }: Argument): string {
  if (values !== undefined) return values.join(", ");
  return type === "array" ? `list of ${items?.type ?? "any"}s` : type;
}

function toolText(name: ToolName): string {
  const { description } = toolTable[name];
  const { properties, required = [] } = inputSchemaOf(name) as {
    readonly properties: Readonly<Record<string, Argument>>;
    readonly required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([argument, told]) => {
    const needed = required.includes(argument) ? " (needed)" : "";
    return `| \`${argument}\`${needed} | ${typeText(told)} | ${(told.description ?? "").replaceAll("|", "\\|")} |`;
  });
  return [
    `### ${name}`,
    description.replaceAll("\n", "\n\n"),
    ["| argument | type | meaning |", "|---|---|---|", ...rows].join("\n"),
  ].join("\n\n");
}

export function renderTools(): string {
  return toolNames.map(toolText).join("\n\n");
}

export const toolsMark = "tools, generated";
export const sizesMark = "sizes, generated";

/** The text between two marks of a page, replaced. @throws when the page has no such marks */
export function replaceSection(page: string, mark: string, text: string): string {
  const begin = `<!-- ${mark}: begin -->`;
  const end = `<!-- ${mark}: end -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page has no section "${mark}".`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}
