// Asks a person for one line that is not shown while it is typed, and is kept nowhere.
import { StringDecoder } from "node:string_decoder";

const interrupt = "\u0003";
const endOfInput = "\u0004";
const erases = new Set(["\u007f", "\b"]);
const eraseAll = "\u0015";

export type SecretLine = { readonly kind: "typed"; readonly text: string } | { readonly kind: "interrupted" };

/** What a person means by these keys, as a terminal would read them; undefined while the line is not at its end. */
export class SecretKeys {
  #characters: string[] = [];

  take(keys: string): SecretLine | undefined {
    for (const key of keys) {
      if (key === interrupt) return { kind: "interrupted" };
      if (key === "\r" || key === "\n" || key === endOfInput) {
        return { kind: "typed", text: this.#characters.join("") };
      }
      if (key === eraseAll) this.#characters = [];
      else if (erases.has(key)) this.#characters.pop();
      else this.#characters.push(key);
    }
    return undefined;
  }
}

/** Standard input is a terminal. The prompt goes to standard error: standard output may be a file. */
export async function askSecret(prompt: string): Promise<SecretLine> {
  const { stdin, stderr } = process;
  // Before the prompt: what is typed at once must not be shown either. Node sets it back when it ends, by a signal too.
  stdin.setRawMode(true);
  stderr.write(prompt);
  const line = await readLine(stdin);
  stdin.setRawMode(false);
  stderr.write("\n");
  return line;
}

async function readLine(input: NodeJS.ReadableStream): Promise<SecretLine> {
  const decoder = new StringDecoder();
  const keys = new SecretKeys();
  const { promise, resolve } = Promise.withResolvers<SecretLine>();
  const take = (chunk: Buffer): void => {
    const line = keys.take(decoder.write(chunk));
    if (line !== undefined) resolve(line);
  };
  const close = (): void => resolve({ kind: "interrupted" }); // nobody is there any more
  input.on("data", take).once("end", close);
  const line = await promise;
  input.off("data", take).off("end", close).pause();
  return line;
}
