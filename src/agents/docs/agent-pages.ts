// docs/agents.md and one page for each agent, made from the table: `node scripts/generate-agent-docs.ts` writes them, a test keeps them
// current.
import type { Agent, Format, Location, ServerCommand } from "../agent.ts";
import { agents } from "../agent-table.ts";
import { readJsonText } from "../edit/json-text.ts";
import { readTomlText } from "../edit/toml-text.ts";
import { readYamlText } from "../edit/yaml-text.ts";
import { entryName } from "../plan-change.ts";
import { aboutInit } from "./about-init.ts";

const byHand: ServerCommand = { command: "holdfast", args: ["mcp"], env: {} };
const readers = { json: readJsonText, yaml: readYamlText, toml: readTomlText } satisfies Record<
  Format,
  unknown
>;

/** By their path below docs/. */
export function renderAgentPages(): Readonly<Record<string, string>> {
  const pages = agents.map((agent) => [`agents/${agent.name}.md`, renderPage(agent)]);
  return { "agents.md": renderIndex(), ...(Object.fromEntries(pages) as Record<string, string>) }; // paths and texts
}

/** `~/.codex/config.toml` */
function filesOf({ directory, names, variable, xdg }: Location): string {
  const name = names.at(-1) ?? "";
  const other = names.length > 1 ? `, or \`${names[0]}\` if that is there` : "";
  const join = (folder: string): string => `\`~/${folder === "" ? "" : `${folder}/`}${name}\``;
  const usual =
    typeof directory === "string"
      ? join(directory)
      : `${join(directory.linux)} (macOS: ${join(directory.darwin)})`;
  const moved = variable === undefined ? "" : `, with \`${variable}\` set \`$${variable}/${name}\``;
  const config = xdg === true ? ", with `XDG_CONFIG_HOME` set there" : "";
  return `${usual}${other}${moved}${config}`;
}

function renderPage(agent: Agent): string {
  const { name, title, format, form, file, projectFiles, afterwards, notes, sources } = agent;
  const entry = { ...form.entry(byHand), ...form.initial };
  const example = readers[format]("").set([...form.path, entryName], entry);
  const inProject = projectFiles === undefined ? "none" : `\`${projectFiles.at(-1)}\``;
  return [
    `# ${title}\n`,
    `    holdfast init --agent ${name}\n`,
    `shows what it would write, asks, and keeps the file as it was beside it: [all about init](../agents.md). The entry is in\n`,
    "| whose | file |\n|---|---|\n" +
      `| yours | ${filesOf(file)} |\n| a project's, with \`--project\` | ${inProject} |\n`,
    `By hand, where \`holdfast\` is on the agent's PATH:\n\n\`\`\`${format}\n${example}\`\`\`\n`,
    `Afterwards: ${afterwards}\n`,
    notes.map((note) => `- ${note}\n`).join(""),
    `## When a process ends\n\n${resumeText(agent)}\n`,
    `## Where this is from\n\n${sources.map((source) => `- <${source}>\n`).join("")}`,
    `Looked up in November 2026, in stored copies of these pages or of guides that quote them. ${triedText(agent)}\n`,
  ].join("\n");
}

function triedText({ title, tried }: Agent): string {
  return tried === undefined
    ? `${title} itself was not run here: the tests write its file, and start what the entry names.`
    : `Run here once, without a model: ${title} ${tried} The tests write its file, and start what the entry names.`;
}

function resumeText({ title, canResume }: Agent): string {
  const tool = "The tool `notifications` tells the agent what it has not seen.";
  const link = "[notifications.md](../notifications.md#a-command-that-resumes-an-agent)";
  return canResume === true
    ? `${tool} One that is not running any more can be started again with the notice: the recipe for ${title} is in ${link}.`
    : `${tool} No recipe is known by which ${title} itself could be started again with a notice; ${link} says what such a command gets.`;
}

function renderIndex(): string {
  const rows = agents.map(({ name, title, file, projectFiles }) => {
    const inProject = projectFiles === undefined ? "" : `\`${projectFiles.at(-1)}\``;
    return `| [${title}](agents/${name}.md) | \`${name}\` | ${filesOf(file)} | ${inProject} |\n`;
  });
  const table = `| agent | \`--agent\` | your file | a project's file |\n|---|---|---|---|\n${rows.join("")}`;
  return aboutInit.replace("<!-- agents -->\n", table);
}
