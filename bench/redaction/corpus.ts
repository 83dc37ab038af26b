// What is redacted in the bench. Real text where there is some: this checkout with its dependencies, and its history.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { tokenFormats } from "../../src/redaction/rules/token-formats.ts";

export interface Corpus {
  readonly name: string;
  readonly bytes: Buffer;
}

const repository = join(import.meta.dirname, "../..");
const textFile = /\.(?:[cm]?[jt]s|json|md|[ch]|ya?ml)$/;
const mostBytes = 64_000_000;
const mostHistoryBytes = 16_000_000;

/** Every text file of src, docs, test, keeper and node_modules, in the order of their paths. */
export function sources(): Corpus {
  const files = ["src", "docs", "test", "keeper", "node_modules"].flatMap((folder) =>
    textFiles(join(repository, folder)),
  );
  const bytes = Buffer.concat(files.map((file) => readFileSync(file))).subarray(0, mostBytes);
  return { name: "text files of this checkout with its dependencies", bytes };
}

function textFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && textFile.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !relative(repository, file).includes("/."))
    .toSorted();
}

/** The history of this checkout as a terminal shows it: an escape sequence every 20 bytes or so. Undefined without git. */
export function colouredHistory(): Corpus | undefined {
  const log = spawnSync("git", ["-C", repository, "log", "-p", "--color=always"], { maxBuffer: 2 ** 30 });
  if (log.status !== 0) return undefined;
  return { name: "git log -p --color=always", bytes: log.stdout.subarray(0, mostHistoryBytes) };
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A log with a secret in every line: tokens of all formats, headers, addresses, variables. Made while the bench runs. */
export function secretLog(): Corpus {
  let seed = 1;
  const next = (limit: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % limit;
  };
  const random = (length: number): string =>
    Array.from({ length }, () => letters[next(letters.length)]).join("");
  const beginnings = tokenFormats.flatMap((format) =>
    format.before === "anything" ? format.beginnings : [],
  );
  const secrets: (() => string)[] = [
    () => `token ${beginnings[next(beginnings.length)]}${random(40)}`,
    () => `Authorization: Bearer ${random(40)}`,
    () => `connected to postgres://app:${random(16)}@db.example:5432/app`,
    () => `export API_TOKEN=${random(32)}`,
  ];
  const lines: string[] = [];
  for (let length = 0; length < mostHistoryBytes; length += lines.at(-1)?.length ?? 0)
    lines.push(
      `2026-11-15T10:00:00.000Z INFO request ${lines.length} took ${next(900)} ms\n${secrets[lines.length % secrets.length]?.()}\n`,
    );
  return { name: "a log with a secret in every second line", bytes: Buffer.from(lines.join("")) };
}

/** The most work for each byte that a search among texts of beginnings has found. */
export function hostileText(): Corpus {
  const repeated = "SALT=glcbt-\n";
  const bytes = Buffer.from(repeated.repeat(4_000_000 / repeated.length));
  return { name: "a secret variable in every line of 12 bytes", bytes };
}
