// Functions and aliases of the user's shell. All of them may be 150 kB, which a shell takes milliseconds to read: a command gets those
// it names, and what these name in turn.

export interface Definitions {
  /** By name, as the shell reads them. */
  readonly functions: ReadonlyMap<string, string>;
  readonly aliases: ReadonlyMap<string, string>;
}

export const noDefinitions: Definitions = { functions: new Map(), aliases: new Map() };

// What ends a word for a shell, quotes included: a word too many costs a look, one too few a function.
const wordEnds = /[\s;&|()<>{}"'`$\\=!,]+/;

export function wordsOf(text: string): string[] {
  return text.split(wordEnds);
}

export class DefinitionIndex {
  readonly #definitions: Definitions;
  /** Functions that a function names; made when first asked for. */
  readonly #named = new Map<string, readonly string[]>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  get isEmpty(): boolean {
    return this.#definitions.functions.size === 0 && this.#definitions.aliases.size === 0;
  }

  /** All functions, as one text. */
  get allFunctions(): string {
    return [...this.#definitions.functions.values()].join("\n");
  }

  /** What a command needs. Functions are to be read first: after an alias of a word in them they would mean something else. */
  select(command: string): { readonly functions: string; readonly aliases: string } {
    const { functions, aliases } = this.#definitions;
    const chosenAliases = new Set<string>();
    const chosenFunctions = new Set<string>();
    const open = wordsOf(command);
    for (let word = open.pop(); word !== undefined; word = open.pop()) {
      const alias = aliases.get(word);
      if (alias !== undefined && !chosenAliases.has(word)) {
        chosenAliases.add(word);
        open.push(...wordsOf(alias));
      }
      if (functions.has(word) && !chosenFunctions.has(word)) {
        chosenFunctions.add(word);
        open.push(...this.#functionsIn(word));
      }
    }
    return {
      functions: [...chosenFunctions].map((name) => functions.get(name) ?? "").join("\n"),
      aliases: [...chosenAliases].map((name) => aliases.get(name) ?? "").join("\n"),
    };
  }

  /** Aliases in it were read when it was defined: only functions are left. */
  #functionsIn(name: string): readonly string[] {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const { functions } = this.#definitions;
    const found = [...new Set(wordsOf(functions.get(name) ?? ""))].filter((word) => functions.has(word));
    this.#named.set(name, found);
    return found;
  }
}
