// docs/environment.md, made from the lists of names: `node scripts/generate-environment-doc.ts` writes it, a test keeps it current.
import {
  credentialPatterns,
  credentialWords,
  decidedNames,
  harmlessPatterns,
  terminalNames,
  type NameRule,
} from "./environment-names.ts";

const introduction = `# The environment of a child

Generated from \`src/processes/start/environment-names.ts\` by \`node scripts/generate-environment-doc.ts\`.

A child gets the environment of whoever asks for it, never the daemon's. What of that it gets is the *policy*
(\`environment.policy\` of a start, \`--env-policy\` on the command line):

| policy | the child gets | who gets it by default |
|---|---|---|
| \`caller\` | everything | a start that belongs to no session and no task: a person's own \`holdfast run\` |
| \`command\` | everything but credentials, told by their names | a start that belongs to a session or a task (\`owner.session\`, \`HOLDFAST_SESSION\`, \`--session\`; the same for tasks): an agent's |
| \`terminal\` | a short list and nothing else | only whoever asks for it |

Filtered is what the caller sends and, for a caller that sends nothing or has a bare \`PATH\`, what the login shell exports.

For each variable the first line that knows its name decides:

| | |
|---|---|
| \`environment.set\`, \`--env NAME=VALUE\` | is set, whatever else is said |
| \`environment.remove\`, \`--unset-env NAME\` | is taken out |
| \`environment.pass\` of the configuration | passes |
| \`environment.deny\` of the configuration (\`*\` stands for anything) | is withheld |
| \`environment.pass\` of the start, \`--pass-env NAME\` | passes |
| policy \`terminal\` | passes if it stands in the list below or fits \`environment.allow\` of the configuration |
| policy \`command\` | is withheld if it is a credential by the tables below |

The answer to a start tells in its \`notes\` which names were withheld, and which were to be passed and are not there. Values are in
no note, file, database or log. An exact environment (\`exact\`, \`--clear-env\`) is \`set\` and what \`pass\` names.

Prefer naming what a command needs: \`holdfast run --pass-env NPM_TOKEN -- npm publish\`. The policy prevents accidents, such as a
key in the output of \`env\` or in a crash report. It is no wall: a child of the same user can read that user's files.
`;

function cell(rule: NameRule): string {
  return `| ${rule.patterns.map((pattern) => `\`${pattern}\``).join(", ")} | ${rule.why} |\n`;
}

function table(heading: string, rules: readonly NameRule[]): string {
  return `| ${heading} | |\n|---|---|\n${rules.map(cell).join("")}`;
}

export function renderEnvironmentDoc(): string {
  const words = credentialWords.map((word) => `\`${word}\``).join(", ");
  const terminal = terminalNames.map((name) => `\`${name}\``).join(", ");
  return [
    introduction,
    `## What a command of an agent does not get

A name is a credential if one of these stands in it as a word of its own, between underscores or at an end, in capitals or
not: ${words}. So \`TF_TOKEN_app_terraform_io\` is one, \`TOKENIZERS_PARALLELISM\` is none.
`,
    table("or if it is", credentialPatterns),
    table("but it passes if it is", harmlessPatterns),
    `Decided, because people ask; by the rules above they pass:
`,
    table("name", decidedNames),
    `## What a terminal gets

${terminal}; and in a PTY, unless set: \`TERM=xterm-256color\`, \`COLORTERM=truecolor\`, \`COLUMNS\` and \`LINES\` (its size at the start),
\`PWD\`, \`HOLDFAST_TERMINAL=1\`.
`,
  ].join("\n");
}
