import { constants } from "node:os";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { startStageSchema } from "../protocol/exit.ts";
import { confinementLack, confinementLines, confinementOf } from "./confinement.ts";
import { parseText } from "./text-format.ts";

test("what is asked for is read back from the lines, whatever is in the names", () => {
  const letter = fc.constantFrom("a", ".", " ", "%", "\n", "\t", "ä", "\u{1F600}", "\\");
  const name = fc
    .string({ minLength: 1, maxLength: 5, unit: letter })
    .filter((text) => !/^\.{1,2}$/.test(text));
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join("/")}`);
  const paths = fc.array(path, { maxLength: 4 });
  fc.assert(
    fc.property(fc.record({ write: paths, hide: paths, show: paths }), (confinement) => {
      expect(confinementOf(parseText(confinementLines(confinement)))).toEqual(confinement);
    }),
  );
  expect(confinementLines(undefined)).toBe("");
  expect(confinementOf(parseText("mode pty\n"))).toBeUndefined();
  expect(confinementOf(parseText("confine off\nconfine_write /a\n"))).toBeUndefined();
});

test("each stage of a confinement has words for what is missing, no other stage has", () => {
  const stages = startStageSchema.options.filter(
    (stage) => confinementLack(stage, constants.errno.EPERM) !== undefined,
  );
  expect(stages).toEqual(["landlock", "namespace", "mount", "seccomp"]);
  expect(confinementLack("namespace", constants.errno.ENOMEM)).toBe(
    "no mount namespace can be made: not enough memory",
  );
  expect(confinementLack("mount", constants.errno.ENOENT)).toMatch(
    /^what is to be hidden or written cannot be mounted: /,
  );
});
