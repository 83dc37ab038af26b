import { expect, test } from "vitest";
import { parseDefinitions } from "./capture-definitions.ts";
import { DefinitionIndex } from "./definitions.ts";

const index = new DefinitionIndex({
  functions: new Map([
    ["deploy", "deploy () { prepare && ship-it; }"],
    ["prepare", "prepare () { deploy --dry; }"],
    ["ship-it", "ship-it () { :; }"],
    ["other", "other () { :; }"],
  ]),
  aliases: new Map([
    ["d", "alias -- d='deploy now'"],
    ["ll", "alias -- ll='ls -l'"],
  ]),
});

test("a command gets what it names, and what that names in turn", () => {
  expect(index.select("ls; echo hi")).toEqual({ functions: "", aliases: "" });
  const { functions, aliases } = index.select("cd x&&d|cat");
  expect(functions.split("\n").toSorted()).toEqual([
    "deploy () { prepare && ship-it; }",
    "prepare () { deploy --dry; }",
    "ship-it () { :; }",
  ]);
  expect(aliases).toBe("alias -- d='deploy now'");
});

test("names inside quotes, substitutions and other commands count", () => {
  for (const command of ['sh -c "other"', "x=$(other)", "`other`", "{ other; }", "A=1 other", "!other"])
    expect(index.select(command).functions, command).toContain("other ()");
});

test("what a shell tells, between what its start-up files print", () => {
  const output =
    "Welcome\nMARK\0function\0f\0f () \n{ \n    echo 'x'\n}\n\0alias\0..\0cd ..\0alias\0it's\0echo 'q'\0MARK\0bye";
  const { functions, aliases } = parseDefinitions(Buffer.from(output), "bash", "MARK");
  expect([...functions]).toEqual([["f", "f () \n{ \n    echo 'x'\n}\n"]]);
  expect([...aliases.values()]).toEqual([
    "shopt -s expand_aliases; alias -- ..='cd ..'",
    String.raw`shopt -s expand_aliases; alias -- 'it'\''s'='echo '\''q'\'''`,
  ]);
});

test("a shell that tells nothing has none; a function zsh has not loaded yet is left out", () => {
  expect(parseDefinitions(Buffer.from("nothing"), "bash", "MARK").functions.size).toBe(0);
  const stub = "MARK\0function\0g\0g () {\n\t# undefined\n\tbuiltin autoload -XU\n}\n\0MARK\0";
  expect(parseDefinitions(Buffer.from(stub), "zsh", "MARK").functions.size).toBe(0);
});

test("aliases of a POSIX shell", () => {
  const listed = "MARK\0listed\0\0ll='ls -l'\nq='it'\"'\"'s'\nnot an alias\n\0MARK\0";
  expect([...parseDefinitions(Buffer.from(listed), "sh", "MARK").aliases]).toEqual([
    ["ll", "alias ll='ls -l'"],
    ["q", "alias q='it'\"'\"'s'"],
  ]);
});
