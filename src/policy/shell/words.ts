// One word of a command as far as it is known before the command runs.
import type { Word, WordPart } from "unbash";

export interface ArgumentWord {
  /** Without quotes; what is only known at run time stands in it as it was written. */
  readonly text: string;
  /** Part of it is only known at run time: an expansion, a substitution, a brace list. */
  readonly isDynamic: boolean;
  /** The text before the first part that is not known. */
  readonly prefix: string;
  /** File names take the place of a pattern in it. */
  readonly isPattern: boolean;
}

export function fixedWord(text: string): ArgumentWord {
  return { text, isDynamic: false, prefix: text, isPattern: false };
}

/** Stands for words that another program puts in. */
export const unknownWord: ArgumentWord = {
  text: "{…}",
  isDynamic: true,
  prefix: "",
  isPattern: false,
};

export function readWord(word: Word): ArgumentWord {
  const { parts } = word;
  if (parts === undefined) return fixedWord(word.value);
  const known = new KnownText();
  known.addAll(parts);
  return {
    text: known.text,
    isDynamic: known.isDynamic,
    prefix: known.prefix,
    isPattern: known.isPattern,
  };
}

class KnownText {
  text = "";
  prefix = "";
  isDynamic = false;
  isPattern = false;

  addAll(parts: readonly WordPart[]): void {
    for (const part of parts) this.#add(part);
  }

  #add(part: WordPart): void {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        this.#addKnown(part.value);
        break;
      case "Glob":
        this.isPattern = true;
        this.#addKnown(part.value);
        break;
      case "DoubleQuoted":
      case "LocaleString":
        this.addAll(part.parts);
        break;
      default:
        // The one variable that paths begin with and whose value everybody knows.
        if (this.text === "" && isHome(part.text)) this.#addKnown("~");
        else {
          this.isDynamic = true;
          this.text += part.text;
        }
    }
  }

  #addKnown(text: string): void {
    this.text += text;
    if (!this.isDynamic) this.prefix += text;
  }
}

function isHome(text: string): boolean {
  return text === "$HOME" || text === "${HOME}";
}
