// What is looked through: the log of a web server with some workers, made up line by line from a fixed seed.
import { seededRandom } from "../../test/support/seeded-random.ts";

export interface Corpus {
  readonly name: string;
  readonly bytes: Buffer;
}

const paths = ["/", "/login", "/api/v1/items", "/static/app.js", "/health", "/api/v1/users/größe"];
const levels = ["info", "info", "info", "debug", "warn"];

function line(random: () => number, number: number): string {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item; // within its length
  const time = new Date(1_760_000_000_000 + number * 137).toISOString();
  const ms = Math.floor(random() * 900);
  return `${time} ${pick(levels)} worker ${Math.floor(random() * 8)} GET ${pick(paths)}?id=${Math.floor(random() * 1e6)} 200 in ${ms} ms`;
}

/** About one line in a thousand is what is looked for. */
function matching(random: () => number): string {
  const number = Math.floor(random() * 100);
  return random() < 0.5 ? `ERROR: upstream, code=${number}` : `connection ${number} refused`;
}

function write(megabytes: number, isColoured: boolean): Buffer {
  const random = seededRandom(20_261_115);
  const lines: string[] = [];
  for (let bytes = 0, number = 0; bytes < megabytes * 1_000_000; number++) {
    const text = random() < 0.001 ? matching(random) : line(random, number);
    const shown = isColoured ? text.replace(/ (info|debug|warn) /, " \u001b[32m$1\u001b[0m ") : text;
    lines.push(shown);
    bytes += Buffer.byteLength(shown) + 1;
  }
  return Buffer.from(`${lines.join("\n")}\n`);
}

export function corpora(megabytes: number): readonly Corpus[] {
  return [
    { name: "a server's log", bytes: write(megabytes, false) },
    { name: "the same in colours", bytes: write(megabytes, true) },
  ];
}
