// docs/cli.md, made from the commands and the operations table: `node scripts/generate-cli-doc.ts` writes it, a test
// keeps it current.
import type { Command, Option } from "commander";
import { glossary } from "../protocol/glossary.ts";
import { operations, type OperationName } from "../protocol/operations.ts";
import { processDetailSchema, processViewSchema } from "../protocol/process.ts";
import { chapters, introduction, jsonTexts } from "./cli-doc-text.ts";
import { fieldTable, typeOf } from "./cli-doc-fields.ts";
import { Cli } from "./context.ts";
import { createProgram } from "./program.ts";

/** The operation behind a command, by what help shows. */
function operationOf(shown: string): OperationName | undefined {
  const names = Object.keys(glossary) as OperationName[];
  return names.find((name) => glossary[name].shown === shown);
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

function optionRow(option: Option): string {
  const choices = option.argChoices === undefined ? "" : ` (${option.argChoices.join(", ")})`;
  const standard = typeof option.defaultValue === "string" ? `; default: ${option.defaultValue}` : "";
  return `| \`${escapeCell(option.flags).replaceAll("&lt;", "<")}\` | ${escapeCell(option.description)}${choices}${standard} |\n`;
}

function usageOf(path: string, command: Command): string {
  const options = command.options.length > 0 ? " [options]" : "";
  const operands = command.registeredArguments.map((argument) => {
    const name = `${argument.name().toUpperCase()}${argument.variadic ? "…" : ""}`;
    return argument.required ? ` ${name}` : ` [${name}]`;
  });
  return `holdfast ${path}${options}${path === "run" ? " [--] COMMAND [ARGUMENT…]" : operands.join("")}`;
}

function jsonText(path: string, operation: OperationName | undefined): string {
  const own = jsonTexts[path];
  if (own !== undefined) return `\n**--json**: ${own}\n`;
  if (operation === undefined) return "";
  return `\n**--json** prints ${typeOf(operations[operation].output)}.\n`;
}

function renderCommand(path: string, command: Command): string {
  const operation = operationOf(path);
  const others = command.aliases().map((alias) => `\`${alias}\``);
  const operands = command.registeredArguments.map((argument) => {
    return `- \`${argument.name().toUpperCase()}\`: ${argument.description}\n`;
  });
  const rows = command.options.map(optionRow).join("");
  return [
    `\n## ${path}\n\n${command.description()}`,
    operation === undefined
      ? "\n"
      : ` Operation: \`${operation}\`.${others.length > 0 ? ` Also: ${others.join(", ")}.` : ""}\n`,
    `\n    ${usageOf(path, command)}\n`,
    operands.length > 0 ? `\n${operands.join("")}` : "",
    rows === "" ? "" : `\n| option | meaning |\n|---|---|\n${rows}`,
    jsonText(path, operation),
  ].join("");
}

export async function renderCliDoc(): Promise<string> {
  const program = await createProgram(new Cli({ HOME: "/" }));
  const sections = program.commands
    .filter((command) => command.name() !== "help")
    .flatMap((command) => {
      if (command.commands.length === 0) return [renderCommand(command.name(), command)];
      const inner = command.commands.filter((one) => one.name() !== "help");
      return inner.map((one) => renderCommand(`${command.name()} ${one.name()}`, one));
    });
  const objects = [
    "\n## The process object\n\nWhat `ps --json` lists, and `run --json` prints.\n\n",
    fieldTable(processViewSchema),
    '\n`exit` is `{"kind":"exited","code"}`, `{"kind":"signaled","signal","signalNumber","coreDumped"}`,\n',
    '`{"kind":"spawn_failed","stage","errno","message"}` or `{"kind":"lost","lastSeen"}`; null until it has ended.\n',
    "\n`show --json` adds:\n\n",
    fieldTable(processDetailSchema, Object.keys(processViewSchema.shape)),
  ];
  return [introduction, ...sections, ...objects, chapters].join("");
}
