// The command line as commander knows it: all of it for help and documents, or the one command that is to run.
import { Command } from "commander";
import { glossary, type GlossaryEntry } from "../protocol/glossary.ts";
import { commandTable, commandWords, type CommandWord } from "./command-table.ts";
import type { Cli } from "./context.ts";

const groups: Readonly<Record<string, string>> = {
  config: "See and change the configuration.",
  daemon: "Start, stop and look at the daemon.",
  lock: "Let one process at a time use a token, an account or a port.",
  cursor: "See how far a session has looked at a process.",
  barrier: "Say what a session waits for before it goes on.",
  delegation: "Register work that is done elsewhere, and what came of it.",
  job: "Run something in the background and be told how it ended.",
  terminal: "Open shells by a key, to be looked at from anywhere.",
  view: "See who looks at terminals in the dashboard, and close what they see.",
  watch: "Be told what a process writes, or that it stopped writing, waits or is ready.",
  session: "See and end sessions; say who works on one, and when a person is there.",
  policy: "See what may run, and let a session go on without being asked.",
  approval: "See what waits for a person's word, and say it.",
  audit: "See what was decided and done, and by whom.",
  token: "Let programs in by the network, and see and take back what was given.",
  password: "Make what the configuration keeps of a password.",
  notifications: "Hear what ended, matched or waits, and say that it was taken care of.",
};

/** What a group's name alone does. */
const defaults: ReadonlySet<CommandWord> = new Set([
  "notifications list",
  "session list",
  "terminal list",
  "view list",
  "policy list",
  "approval list",
  "audit list",
  "token list",
]);

/** Other names of a group. */
const groupAliases: Readonly<Record<string, string>> = {
  sessions: "session",
  approvals: "approval",
  tokens: "token",
  terminals: "terminal",
};

const entries: readonly GlossaryEntry[] = Object.values(glossary);

/** The names under which a command is found; the first is shown. */
function namesOf(word: string): readonly [string, ...string[]] {
  const entry = entries.find((candidate) => candidate.word === word);
  if (entry === undefined) return [word];
  const others = [entry.word, ...entry.aliases].filter((name) => name !== entry.shown);
  return [entry.shown, ...others];
}

function secondWord(name: string): string {
  return name.slice(name.indexOf(" ") + 1);
}

function isNamed(word: string, typed: string): boolean {
  return word.includes(" ")
    ? word.split(" ")[0] === (groupAliases[typed] ?? typed)
    : namesOf(word).includes(typed);
}

/** The words of the commands that the first argument may mean; none for a word nobody knows. */
export function wordsFor(typed: string): CommandWord[] {
  return commandWords.filter((word) => isNamed(word, typed));
}

function quiet(command: Command): Command {
  // What is wrong is told in one place, by failure.ts.
  return command.exitOverride().configureOutput({ outputError: () => undefined });
}

function groupOf(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name);
  if (found !== undefined) return found;
  const group = new Command(name).description(groups[name] ?? "").copyInheritedSettings(program);
  for (const [alias, of] of Object.entries(groupAliases)) if (of === name) group.alias(alias);
  program.addCommand(group);
  return group;
}

/** A command with its names from the glossary, ready for its options. */
async function addCommand(program: Command, word: CommandWord, cli: Cli): Promise<void> {
  const { define } = await commandTable[word]();
  const [group, inGroup] = word.split(" ");
  const command = define(cli);
  // Inside a group a command is known by its second word.
  const [shown = word, ...others] = namesOf(word).map((name) =>
    inGroup === undefined ? name : secondWord(name),
  );
  command.name(shown).aliases(others);
  const parent = inGroup === undefined || group === undefined ? program : groupOf(program, group);
  parent.addCommand(command.copyInheritedSettings(parent), { isDefault: defaults.has(word) });
}

export async function createProgram(
  cli: Cli,
  words: readonly CommandWord[] = commandWords,
): Promise<Command> {
  const program = quiet(new Command("holdfast"))
    .description("Holdfast keeps processes: start one, and nothing that dies around it loses it.")
    .option("--version", "tell the version of this command line")
    .helpOption("-h, --help", "show this help")
    .helpCommand(words.length === commandWords.length)
    .enablePositionalOptions()
    .showSuggestionAfterError();
  for (const word of words) await addCommand(program, word, cli);
  return program;
}
