import { Command } from "commander";
import type { InputPart } from "../../protocol/control.ts";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";
import { collectText } from "../parse/key-value.ts";
import { readInput, readSecret } from "../read-secret.ts";

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
    .option(
      "--secret",
      "ask for the text without showing it, or read it from standard input; refused while the process would show it",
    )
    .option("--force", "with --secret: send it although it may be shown");
  return withJson(command).action((id: string, text: string | undefined, options: Options) =>
    send(cli, id, text, options),
  );
}

async function send(cli: Cli, id: string, text: string | undefined, options: Options): Promise<void> {
  const { key = [], enter, eof, secret, force, json } = options;
  if (secret === true && text !== undefined && text !== "-") {
    throw invalidArgument(
      "A secret is not given as an argument: everybody can see it there, and your shell remembers it.",
      "Leave the text out to be asked for it, or pipe it in.",
    );
  }
  const parts: InputPart[] = [
    ...(await (secret === true ? secretParts(options) : textParts(text, options))),
    ...key.map((name) => ({ key: name })),
    ...(enter === true ? [{ key: "enter" }] : []),
  ];
  if (parts.length === 0 && text === undefined && eof !== true) {
    throw invalidArgument("There is nothing to send.", "Give a text, --key, --enter or --eof.");
  }
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

async function textParts(text: string | undefined, { paste }: Options): Promise<InputPart[]> {
  if (text === undefined || text === "") return [];
  if (text === "-") return bytesPart(await readInput(), paste);
  return [paste === true ? { paste: text } : { text }];
}

async function secretParts({ paste }: Options): Promise<InputPart[]> {
  return bytesPart(await readSecret("Secret (not shown): "), paste);
}

function bytesPart(bytes: Buffer, paste: boolean | undefined): InputPart[] {
  if (bytes.length === 0) return [];
  return [paste === true ? { paste: bytes.toString() } : { base64: bytes.toString("base64") }];
}
