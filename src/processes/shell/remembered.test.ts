import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  nothingRemembered,
  recall,
  remember,
  toBytes,
  toText,
  type RememberedVariables,
} from "./remembered.ts";

const variables = fc
  .dictionary(fc.constantFrom("A", "B", "C", "D", "E"), fc.constantFrom("1", "2", ""))
  .map((entries) => new Map(Object.entries(entries)));
const memory = fc
  .tuple(variables, fc.uniqueArray(fc.constantFrom("A", "B", "C", "D", "E")))
  .map(([set, names]): RememberedVariables => ({
    set,
    unset: new Set(names.filter((name) => !set.has(name))),
  }));
const nobody = new Set<string>();

test("what a command leaves is what the next one gets, whatever its caller has", () => {
  fc.assert(
    fc.property(variables, memory, variables, (base, before, end) => {
      const start = recall(base, before, nobody);
      const after = remember({ before, start, end });
      expect(recall(base, after, nobody)).toEqual(end);
    }),
  );
});

test("a command that changes nothing leaves what was remembered, whatever its caller decided for it alone", () => {
  fc.assert(
    fc.property(variables, memory, variables, (base, before, set) => {
      const start = new Map([...recall(base, before, new Set(set.keys())), ...set]);
      expect(remember({ before, start, end: start })).toEqual(before);
    }),
  );
});

test("what belongs to one shell, and names a shell cannot have, are not the session's", () => {
  const start = new Map([
    ["odd.name", "1"],
    ["SHLVL", "1"],
  ]);
  const end = new Map([
    ["_", "/usr/bin/env"],
    ["PWD", "/x"],
    ["SHLVL", "2"],
    ["HOLDFAST_RUN", "/r"],
    ["OLDPWD", "/y"],
  ]);
  const after = remember({ before: nothingRemembered, start, end });
  expect([...after.set]).toEqual([["OLDPWD", "/y"]]);
  expect([...after.unset]).toEqual([]);
  const exported = new Map([["BASH_FUNC_f%%", "() { :; }"]]);
  expect([...remember({ before: nothingRemembered, start: new Map(), end: exported }).set]).toEqual([
    ...exported,
  ]);
});

test("bytes that are no text are told apart from text", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "é", "\n", "\u{1F600}", "\u00ff") }), (text) => {
      expect(toText(toBytes(text))).toBe(text);
    }),
  );
  expect(toText("\xff")).toBeUndefined();
});
