// A secret from a person, who is asked and sees nothing of it, or from standard input; never from an argument.

/** Without the newline at its end. The prompt goes to standard error. */
export async function readSecret(prompt: string): Promise<Buffer> {
  return process.stdin.isTTY ? await askPerson(prompt) : withoutLineEnd(await readInput());
}

async function askPerson(prompt: string): Promise<Buffer> {
  const { askSecret } = await import("./terminal/secret-prompt.ts");
  const line = await askSecret(prompt);
  if (line.kind === "typed") return Buffer.from(line.text);
  // As if the terminal had sent it, so that a script that runs us stops as well.
  process.kill(process.pid, "SIGINT");
  return await new Promise<never>(() => undefined);
}

/** The newline at the end of a secret is the file's or the shell's. */
function withoutLineEnd(bytes: Buffer): Buffer {
  if (bytes.at(-1) !== 10) return bytes;
  return bytes.subarray(0, bytes.at(-2) === 13 ? -2 : -1);
}

export async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer); // no encoding is set
  return Buffer.concat(chunks);
}
