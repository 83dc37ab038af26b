// Every format, with samples made from it: what fits is hidden, what falls short of it stays.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactText } from "../redact-text.ts";
import { headerFormats } from "./header-formats.ts";
import { looksLikePlaceholder } from "./placeholder.ts";
import type { SecretFormat } from "./secret-format.ts";
import { tokenFormats } from "./token-formats.ts";

const formats = [...tokenFormats, ...headerFormats];

/** Patterns with excluded characters would give any character at all. */
function sampleOf(pattern: string): fc.Arbitrary<string> {
  const readable = pattern.replaceAll(/\[\^[^\]]*\]/g, "[a-z0-9]").replaceAll("\\s", " ");
  return readable === "" ? fc.constant("") : fc.stringMatching(new RegExp(`^(?:${readable})$`));
}

function isSecret({ needs }: SecretFormat, body: string): boolean {
  if (needs === "digit") return /\d/.test(body);
  return needs !== "value" || !looksLikePlaceholder(body);
}

const named = formats.flatMap((format) => format.beginnings.map((beginning) => ({ format, beginning })));

describe.for(named)("$beginning ($format.kind)", ({ format, beginning }) => {
  const before = format.before === "digit" ? "7" : " ";

  test("is hidden with what follows", () => {
    fc.assert(
      fc.property(sampleOf(format.lead ?? ""), sampleOf(format.body), (lead, body) => {
        fc.pre(isSecret(format, body));
        const { text, count } = redactText(`a${before}${beginning}${lead}${body}\nb`);
        expect(text, body).toMatch(/^a.*\[redacted:[a-z0-9-]+\]\nb$/s);
        expect(text).not.toContain(beginning + lead + body);
        // What tells the secret stays where it is not part of it; a long scheme may itself look like one.
        const kept = format.lead !== undefined && count === 1 ? beginning + lead : "";
        expect(text).toContain(kept);
      }),
      { numRuns: 10 },
    );
  });

  test("stays as it is where no secret follows", () => {
    for (const rest of [
      "",
      " ",
      "\n",
      "x",
      ": value",
      "= value;",
      "('x')",
      "[0]",
      ".",
      " is a word",
      "/path/to/it.ts:12",
    ]) {
      const text = `a${before}${beginning}${rest}\nb`;
      expect(redactText(text)).toEqual({ text, count: 0 });
    }
  });
});

test("kinds are words for people, and beginnings say enough", () => {
  expect(formats.length).toBeGreaterThan(100);
  for (const { kind, beginnings, before } of formats) {
    expect(kind).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    // A shorter one would be met in every line, and one that counts inside words must not be a word.
    const least = before === "anything" ? 4 : 2;
    expect(beginnings.filter(({ length }) => length < least)).toEqual([]);
  }
});
