// The command line. There is no daemon yet, so it answers for itself and has no verbs.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const usage = `Usage: holdfast [--help | --version]

Holdfast keeps processes. Only its keeper exists so far: there is no daemon and there are no commands yet.
To see the keeper at work, run npm start in the checkout. Its interface: keeper/CONTRACT.md
`;

function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  return (/"version": "([^"]+)"/.exec(text) ?? ["", "unknown"])[1] ?? "unknown";
}

/** Answers one command line and returns the exit code: 2 for a command line it does not know. */
function main(args: readonly string[]): number {
  const [first = "--help"] = args;
  if (first === "--version") process.stdout.write(`${readVersion()}\n`);
  else if (first === "--help") process.stdout.write(usage);
  else {
    process.stderr.write(`holdfast: unknown command "${first}". See holdfast --help.\n`);
    return 2;
  }
  return 0;
}

process.exitCode = main(process.argv.slice(2));
