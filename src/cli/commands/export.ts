import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Command, Option } from "commander";
import { exportFormats, exportOutput, type ExportFormat } from "../../protocol/export-output.ts";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";

interface Options extends JsonOption {
  readonly format: ExportFormat;
  readonly output?: string;
}

const pageBytes = 1024 * 1024;

export function define(cli: Cli): Command {
  const command = new Command()
    .description(
      "Write the whole kept output of a process to a file: a recording with its timing, the bytes, or plain text.",
    )
    .argument("<id>", processArgument)
    .addOption(
      new Option("--format <format>", "asciicast is version 3").choices(exportFormats).default("asciicast"),
    )
    .option("-o, --output <file>", "a new file; default: standard output");
  return withJson(command).action((id: string, options: Options) => exportProcess(cli, id, options));
}

async function exportProcess(cli: Cli, reference: string, options: Options): Promise<void> {
  const { format, output, json } = options;
  if (json === true && output === undefined)
    throw invalidArgument("--json tells about the file that was written.", "Name one with --output.");
  const client = await cli.client();
  const found = await client.process.get({ id: reference });
  const { id } = found;
  const content = exportOutput(
    {
      process: found,
      live: (from) => client.output(id, { from, follow: false }),
      page: (from) => client.process.output({ id, from, limitBytes: pageBytes }),
    },
    format,
  );
  const readable = Readable.from(content, { objectMode: false });
  if (output === undefined) {
    await pipeline(readable, process.stdout, { end: false });
    return;
  }
  const bytes = await writeNew(output, readable);
  if (json === true) cli.printJson({ id, format, file: output, bytes });
}

/** For its owner alone, as the log itself is; never over something that is there. */
async function writeNew(path: string, content: Readable): Promise<number> {
  const file = await open(path, "wx", 0o600).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidArgument(`${path} cannot be made: ${reason}`, "Name a file that is not there yet.");
  });
  const stream = file.createWriteStream();
  await pipeline(content, stream);
  return stream.bytesWritten;
}
