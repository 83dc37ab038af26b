// One word for one thing: the aliases of the command line are those that ARCHITECTURE.md marks, and every verb has a
// command under its word.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandWords } from "../../src/cli/command-table.ts";
import { glossary } from "../../src/protocol/glossary.ts";
import { operationNames } from "../../src/protocol/operations.ts";
import { repository } from "./source-files.ts";

/** The rows of the glossary that mark an alias: word → aliases. */
function documentedAliases(): Record<string, string[]> {
  const page = readFileSync(join(repository, "ARCHITECTURE.md"), "utf8");
  const rows = [...page.matchAll(/^\| ([a-z -]+) \| [^|]* \| ([^|]*\*\(alias\)\*[^|]*) \|$/gm)];
  return Object.fromEntries(
    rows.map(([, word = "", elsewhere = ""]) => {
      return [
        word,
        [...elsewhere.matchAll(/(?<=^|, )([a-z -]+) \*\(alias\)\*/g)].map((match) => match[1] ?? ""),
      ];
    }),
  );
}

test("ARCHITECTURE.md marks exactly the aliases of the glossary table", () => {
  const entries = Object.values(glossary).filter(({ aliases }) => aliases.length > 0);
  const table = Object.fromEntries(entries.map(({ word, aliases }) => [word, [...aliases]]));
  expect(documentedAliases()).toEqual(table);
  expect(entries.length).toBeGreaterThanOrEqual(7);
});

test("every verb has a command, named by its word", () => {
  const words = operationNames.map((name) => glossary[name].word);
  expect(words.filter((word) => !(commandWords as string[]).includes(word))).toEqual([]);
  for (const [name, { word }] of Object.entries(glossary)) {
    expect(word.split(" ").at(-1), name).toBe(name.split(".").at(-1));
  }
});

test("no name means two commands, and what help shows is one of its names", () => {
  const names = Object.values(glossary).flatMap(({ word, aliases }) => [word, ...aliases]);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  for (const { word, aliases, shown } of Object.values(glossary)) expect([word, ...aliases]).toContain(shown);
});
