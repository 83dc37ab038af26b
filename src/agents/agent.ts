// What Holdfast knows of an agent: where it keeps its MCP servers, and how an entry looks there. Data; one file each in known/.

export type Format = "json" | "yaml" | "toml";

export type EntryValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;
export type Entry = Readonly<Record<string, EntryValue>>;

/** The program an agent starts, and what it gets in its environment besides. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface EntryForm {
  /** The keys that lead to the servers. */
  readonly path: readonly string[];
  /** What makes the entry ours. */
  entry(command: ServerCommand): Entry;
  /** What is written besides when there was no entry; a user may change it. */
  readonly initial?: Entry;
}

/** Where a file is: `directory` is below the user's home, unless a variable names another one. */
export interface Location {
  readonly directory: string | { readonly linux: string; readonly darwin: string };
  /** Of these the first that is there; else the last. */
  readonly names: readonly [string, ...string[]];
  /** Environment variable that names the directory. */
  readonly variable?: string;
  /** Is ~/.config wherever XDG_CONFIG_HOME says? */
  readonly xdg?: boolean;
}

export interface Agent {
  /** As in --agent NAME. */
  readonly name: string;
  readonly title: string;
  readonly format: Format;
  readonly form: EntryForm;
  /** Another form of the same file: used when the file already has it. */
  readonly newerForm?: EntryForm;
  readonly file: Location;
  /** In a project, below its root; of these the first that is there, else the last. */
  readonly projectFiles?: readonly [string, ...string[]];
  /** Systems it exists for; default: all. */
  readonly platforms?: readonly NodeJS.Platform[];
  /** It is here when one of these is there, below the home or where the variable says … */
  readonly directories: readonly string[];
  /** … or one of these can be executed. */
  readonly programs: readonly string[];
  /** What to do so that the agent sees a change. */
  readonly afterwards: string;
  /** Vendor's pages that say so. */
  readonly sources: readonly string[];
  /** Which release was run with what `init` writes, and what it said. */
  readonly tried?: string;
  /** What a reader of its page should know besides; Markdown. */
  readonly notes: readonly string[];
  /** Its row of the recipes in docs/notifications.md, if there is one. */
  readonly canResume?: boolean;
}

/** `command`, `args` and `env`, as most agents write it. */
export function plainEntry({ command, args, env }: ServerCommand): Entry {
  return { command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
}

/** The same for agents that want the transport named. */
export function stdioEntry(command: ServerCommand): Entry {
  return { type: "stdio", ...plainEntry(command) };
}
