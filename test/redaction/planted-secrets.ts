// Ordinary texts with secrets planted in them. Every sample is made while a test runs, so that no scanner finds a secret in
// this repository.
import * as fc from "fast-check";
import { headerFormats } from "../../src/redaction/rules/header-formats.ts";
import { looksLikePlaceholder } from "../../src/redaction/rules/placeholder.ts";
import type { SecretFormat } from "../../src/redaction/rules/secret-format.ts";
import { tokenFormats } from "../../src/redaction/rules/token-formats.ts";

/** A text around a secret; `secret` is the part that must not come through. */
export interface Planted {
  readonly before: string;
  readonly secret: string;
  readonly after: string;
}

const leastLeak = 8;

const ordinary =
  "the build of a keeper took 3 s, exit 0; see https://host.example:8080/path?q=1#top (line 12) " +
  "const key = value; if (x !== y) { return; } PATH é 漢字 😀 // done";
const words = fc.constantFrom(...ordinary.split(" "));
const separator = fc.constantFrom(" ", "\n", "\r\n", "\t", ", ", " = ", ': "');
export const noise = fc
  .array(fc.tuple(words, separator), { maxLength: 12 })
  .map((parts) => parts.flat().join(""));

/** Patterns with excluded characters would give any character at all; these samples stay readable. */
function bodyOf({ body, needs }: SecretFormat): fc.Arbitrary<string> {
  const pattern = body.includes("[^") ? "[A-Za-z]{2,8}=[A-Za-z0-9]{12,30}" : body;
  const tail = fc.stringMatching(/^[A-Z0-9]{0,30}$/);
  const made = fc
    .tuple(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), tail)
    .map((parts) => parts.join(""));
  if (needs === "digit") return made.filter((text) => /\d/.test(text));
  return needs === "value" ? made.filter((text) => !looksLikePlaceholder(text)) : made;
}

export function plantedFormat(format: SecretFormat): fc.Arbitrary<Planted> {
  const lead = format.lead === undefined ? fc.constant("") : leadOf(format.lead);
  const before = format.before === "digit" ? "7" : "";
  return fc.record({
    before: fc.tuple(fc.constantFrom(...format.beginnings), lead).map((parts) => before + parts.join("")),
    secret: bodyOf(format),
    after: fc.constantFrom("\n", " ", '"', ""),
  });
}

function leadOf(lead: string): fc.Arbitrary<string> {
  if (lead === "") return fc.constant("");
  return fc.stringMatching(
    new RegExp(`^(?:${lead.replaceAll(/\[\^[^\]]*\]/g, "[a-z]").replaceAll("\\s", "[ \\n]")})$`),
  );
}

const keyLine = fc.stringMatching(/^[A-Za-z0-9+/]{64}$/);
/** As a file has them, as JSON has them, in one line, and with line numbers before them. */
const keyBreaks = ["\n", "\r\n", "\\n", " ", "\n    12\t", "\n  "] as const;

function keyWith(breaks: readonly string[]): fc.Arbitrary<Planted> {
  const lines = fc.array(keyLine, { minLength: 1, maxLength: 30 });
  const last = fc.stringMatching(/^[A-Za-z0-9+/]{0,40}={0,2}$/);
  const kinds = fc.constantFrom("RSA ", "", "EC ", "OPENSSH ");
  return fc
    .tuple(kinds, lines, last, fc.constantFrom(...breaks), fc.boolean())
    .map(([kind, full, short, lineBreak, isFinished]) => ({
      before: `-----BEGIN ${kind}PRIVATE KEY-----${lineBreak}`,
      secret: [...full, short].join(lineBreak),
      after: isFinished ? `${lineBreak}-----END ${kind}PRIVATE KEY-----\n` : "\n",
    }));
}
const privateKey = keyWith(keyBreaks);
export const keyFile = keyWith(["\n"]);

const urlPassword: fc.Arbitrary<Planted> = fc
  .tuple(
    fc.stringMatching(/^[a-z][a-z0-9._%-]{0,12}$/),
    fc.stringMatching(/^[A-Za-z0-9!*+,;=:._~%@-]{8,24}$/),
  )
  .filter(
    ([, password]) => !password.endsWith("@") && !password.startsWith("@") && !password.includes("@sha256:"),
  )
  .map(([user, secret]) => ({ before: `postgres://${user}:`, secret, after: "@db.example:5432/app?x=1" }));

const variable = fc.constantFrom("GITHUB_TOKEN", "DB_PASSWORD", "API_KEY", "MY_SECRET", "PGPASSWORD");
const value = fc
  .stringMatching(/^[A-Za-z0-9!+/=.:%-]{8,60}$/)
  .filter((text) => !/^(?:\d+|.*\.\.\.|(.)\1*)$/.test(text));
const dump: fc.Arbitrary<Planted> = fc
  .tuple(variable, value, fc.constantFrom("\n", "\r\n", "\0"), fc.boolean())
  .map(([name, secret, line, isFirst]) => {
    return isFirst
      ? { before: `${line}${name}=`, secret, after: `${line}HOME=/somewhere${line}` }
      : { before: `${line}HOME=/somewhere${line}${name}=`, secret, after: line };
  });
const exported: fc.Arbitrary<Planted> = fc
  .tuple(variable, value)
  .map(([name, secret]) => ({ before: `\nexport ${name}=`, secret, after: "\n" }));

export const planted = fc.oneof(
  ...[...tokenFormats, ...headerFormats].map(plantedFormat),
  { arbitrary: privateKey, weight: 8 },
  { arbitrary: urlPassword, weight: 8 },
  { arbitrary: dump, weight: 8 },
  { arbitrary: exported, weight: 4 },
);

const colours = ["\u001b[31m", "\u001b[0m", "\u001b[38;5;12m", "\u009b1m"];
const movements = ["\u001b[K", "\u001b[2;5H", "\u001b(B", " \r", "\r"];
const titles = ["\u001b]0;title\u0007", "\u001b]8;;https://host.example/\u001b\\"];
const escapes = fc.constantFrom(...colours, ...movements, ...titles, "\u200b", "\u00ad", "\u0007");

/** Escapes put between characters: where, and which. */
export const disturbances = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), escapes), {
  maxLength: 6,
});

export function disturb(text: string, at: readonly (readonly [number, string])[]): string {
  const places = at.map(([part, escape]) => [Math.floor(part * text.length), escape] as const);
  let disturbed = "";
  for (let index = 0; index <= text.length; index++) {
    // A return before a newline would be part of it, one behind a space takes it along, and half a character is none.
    const isPossible = !/[\n\udc00-\udfff]/.test(text[index] ?? "") && text[index - 1] !== " ";
    for (const [place, escape] of places) if (place === index && isPossible) disturbed += escape;
    disturbed += text[index] ?? "";
  }
  return disturbed;
}

// eslint-disable-next-line no-control-regex -- control characters are what this is about
const strings = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
// eslint-disable-next-line no-control-regex -- as above
const others = /(?:\u001b\[|\u009b)[0-?]*[@-~]|\u001b\(B|[\u200b\u00ad\u0007]| ?\r(?!\n)/g;

/** What somebody sees who reads it on a terminal, or greps. */
export function strip(text: string): string {
  return text.replaceAll(strings, "").replaceAll(others, "");
}

export function leaksOf(secret: string, output: string): string[] {
  const leaks: string[] = [];
  for (const line of secret.split(/[\s\\]+/)) {
    for (let at = 0; at + leastLeak <= line.length; at++) {
      const part = line.slice(at, at + leastLeak);
      if (output.includes(part)) leaks.push(part);
    }
  }
  return leaks;
}

export function inPieces(text: string, cuts: readonly number[]): string[] {
  const ends = [...new Set(cuts.map((part) => Math.floor(part * text.length)))].toSorted((a, b) => a - b);
  return [...ends, text.length].map((end, index) => text.slice(index === 0 ? 0 : ends[index - 1], end));
}

/** Parts of a text, as fractions of it. */
export const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

/** Several secrets and ordinary parts in one text, with escapes between any two characters. */
export const mixedText = fc
  .tuple(fc.array(fc.oneof(planted, noise), { maxLength: 5 }), disturbances)
  .map(([parts, at]) =>
    disturb(parts.map((part) => (typeof part === "string" ? part : wholeOf(part))).join(""), at),
  );

export function wholeOf({ before, secret, after }: Planted): string {
  return before + secret + after;
}
