// docs/configuration.md, made from the schema: `node scripts/generate-config-doc.ts` writes it, a test keeps it current.
import { stringify } from "yaml";
import { z } from "zod";
import { configTable, reservedVariables, type ConfigKey, type KeyTable } from "./keys.ts";
import { setAtPath } from "./resolve.ts";

const introduction = `# Configuration

Generated from \`src/config/schema.ts\` by \`node scripts/generate-config-doc.ts\`.

Values come from five sources. For each key the first one that gives it decides:

1. what a start, a stop or a wait itself says: a flag of the command line, a field of the request;
2. its environment variable, of the daemon: the path in capitals, as in \`HOLDFAST_OUTPUT_TAIL_BYTES\`; lists and maps as JSON; an
   empty variable counts as not set;
3. \`holdfast.yaml\` of the project, for the keys marked so: see below;
4. \`holdfast.yaml\` in the home;
5. the default.

\`holdfast config explain KEY\` tells which one decides where you are, with the line of the file or the variable, and what the
others say. A key without a value counts as not given. \`holdfast config set KEY VALUE\` changes the home's file and keeps its
comments.

A configuration is taken whole or not at all. A value that cannot be used, a key that does not exist or a fault in the YAML
is told with its key, file and line; a daemon that runs keeps the last good configuration until the problem is gone. The home's
file is watched: a change counts at once, except for the keys marked *at restart*. \`holdfast config check\` looks without
changing anything.

## The file of a project

A project's file is the nearest \`holdfast.yaml\` upward from the directory that something is started in. The home's own file is
never a project's, nor is one that belongs to another user (unless root, or the owner of the directory).

It decides what a caller could also say with a start or a wait, and nothing else: it may have come with a repository, and one
daemon serves all projects ([decision 0022](decisions/0022-what-a-project-may-configure.md)). The keys are marked *yes* below. It is
looked at when something is started; what was started keeps what it was started with. \`config get|list|explain|check\` tell what holds in
the directory they are called in (\`directory\` in the API).

A change of it counts for what is started half a second later.

A file with a key that a project may not set, or any other fault, is not used at all: a start goes on with the home's configuration
and says so in its \`notes\`; \`config get|list|explain\` there answer CONFIG_INVALID, and \`config check\` lists what is wrong.
`;

export function renderConfigDoc(table: KeyTable = configTable): string {
  const keys = [...table.keys.values()];
  const groups = Map.groupBy(keys, ({ path }) => path.slice(0, -1).join("."));
  const sections = [...groups].map(([group, members]) => renderGroup(group, members));
  return [introduction, ...sections, renderReserved(), renderExample(keys)].join("\n");
}

function renderGroup(group: string, keys: readonly ConfigKey[]): string {
  const rows = keys.map((key) => {
    const cells = [
      `\`${key.name}\``,
      key.description,
      renderDefault(key),
      renderAllowed(key),
      `\`${key.variable}\``,
      key.needsRestart ? "at restart" : "at once",
      key.mayProjectSet === true ? "yes" : "no",
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  });
  const head =
    "| key | what it decides | default | allowed | variable | a change counts | by a project |\n|---|---|---|---|---|---|---|\n";
  return `## ${group === "" ? "General" : group}\n\n${head}${rows.join("")}`;
}

function renderDefault({ default: value, unit }: ConfigKey): string {
  if (value === null) return "none";
  const plain = `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
  const readable = typeof value === "number" ? scale(value, unit) : undefined;
  if (readable !== undefined) return `${plain} (${readable})`;
  return unit === null ? plain : `${plain} ${unit}`;
}

const scales: Readonly<Record<string, readonly (readonly [number, string])[]>> = {
  bytes: [
    [2 ** 30, "GiB"],
    [2 ** 20, "MiB"],
    [1_000_000, "MB"],
    [2 ** 10, "KiB"],
  ],
  milliseconds: [
    [3_600_000, "h"],
    [60_000, "min"],
    [1_000, "s"],
  ],
};

/** In the largest unit that leaves a whole number. */
function scale(value: number, unit: string | null): string | undefined {
  const fitting = scales[unit ?? ""]?.find(([size]) => value > 0 && value % size === 0);
  return fitting && `${value / fitting[0]} ${fitting[1]}`;
}

interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly items?: Shape;
  readonly additionalProperties?: Shape | boolean;
}

function renderAllowed({ schema }: ConfigKey): string {
  // zod types JSON schemas more loosely than what it makes of our keys.
  return renderShape(z.toJSONSchema(schema, { io: "input" }) as Shape);
}

function renderShape(shape: Shape): string {
  if (shape.anyOf) {
    const members = shape.anyOf.filter(({ type }) => type !== "null");
    return members.map(renderShape).join(" or ");
  }
  if (shape.enum) return shape.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (shape.type === "array") return `list of ${renderShape(shape.items ?? {})}`;
  if (shape.type === "object") {
    const inner = typeof shape.additionalProperties === "object" ? shape.additionalProperties : {};
    return `map of names to ${renderShape(inner)}`;
  }
  const range = [renderBound("from", shape.minimum), renderBound("to", shape.maximum)].filter(Boolean);
  const pattern = shape.pattern === undefined ? [] : [`\`${shape.pattern}\``];
  return [shape.type ?? "anything", ...range, ...pattern].join(" ");
}

function renderBound(word: string, bound: number | undefined): string {
  return bound === undefined || Math.abs(bound) === Number.MAX_SAFE_INTEGER ? "" : `${word} ${bound}`;
}

function renderReserved(): string {
  const names = [...reservedVariables].map((name) => `\`${name}\``).join(", ");
  return `## Variables that are no keys\n\n${names} say where a process runs and for whom. No file sets them.\n`;
}

function renderExample(keys: readonly ConfigKey[]): string {
  const values = {};
  for (const key of keys) setAtPath(values, key.path, key.default);
  const yaml = stringify(values, { nullStr: "" }).replaceAll(/ +$/gm, "");
  return `## All defaults as a file\n\n\`\`\`yaml\n${yaml}\`\`\`\n`;
}
