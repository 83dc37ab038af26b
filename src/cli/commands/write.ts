import { Command } from "commander";
import type { InputPart } from "../../protocol/control.ts";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";
import { collectText } from "../parse/key-value.ts";

interface Options extends JsonOption {
  readonly enter?: boolean;
  readonly key?: readonly string[];
  readonly paste?: boolean;
  readonly eof?: boolean;
  readonly secret?: boolean;
  readonly force?: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Type into a process: text, then keys, then enter, then the end of input.")
    .argument("<id>", processArgument)
    .argument("[text]", "what to type; - reads it from standard input")
    .option("--enter", "press enter after it")
    .option("--key <name>", "press a key: up, ctrl-c, escape, f5, …; repeat for more", collectText)
    .option("--paste", "paste the text, bracketed if the program asked for that")
    .option("--eof", "close its standard input after it")
    .option("--secret", "refuse while the terminal would show it; give the text as - to keep it out of `ps`")
    .option("--force", "with --secret: send it all the same");
  return withJson(command).action((id: string, text: string | undefined, options: Options) =>
    send(cli, id, text, options),
  );
}

async function send(cli: Cli, id: string, text: string | undefined, options: Options): Promise<void> {
  const { key = [], enter, eof, secret, force, json } = options;
  if (text === undefined && key.length === 0 && enter !== true && eof !== true) {
    throw invalidArgument("There is nothing to send.", "Give a text, --key, --enter or --eof.");
  }
  const parts: InputPart[] = [
    ...(await textParts(text, options)),
    ...key.map((name) => ({ key: name })),
    ...(enter === true ? [{ key: "enter" }] : []),
  ];
  const client = await cli.client();
  const written =
    parts.length === 0
      ? { id: (await client.process.get({ id })).id, bytes: 0, next: 0 }
      : await client.process.write({
          id,
          parts,
          // With a writer of our own a retry after a lost answer is not typed twice.
          writer: { id: newWriterId(), sequence: 0 },
          secret: secret === true,
          force: force === true,
        });
  if (eof === true) await client.process.closeStdin({ id: written.id });
  if (json === true) cli.printJson(written);
}

function newWriterId(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(-16);
}

async function textParts(text: string | undefined, { paste, secret }: Options): Promise<InputPart[]> {
  if (text === undefined || text === "") return [];
  if (text !== "-") return [paste === true ? { paste: text } : { text }];
  const bytes = await readInput();
  if (bytes.length === 0) return [];
  if (paste === true) return [{ paste: bytes.toString() }];
  // The newline at the end of a secret is the file's or the shell's.
  if (secret === true) return [{ text: bytes.toString().replace(/\r?\n$/, "") }];
  return [{ base64: bytes.toString("base64") }];
}

async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer); // no encoding is set
  return Buffer.concat(chunks);
}
