// Values of variables whose name sounds secret, where an environment or an .env file is shown: `export NAME=value`, or
// NAME=value next to another such line. A single NAME=value may be prose or code, and stays.
import { characterSet } from "../pattern/parse-pattern.ts";
import { runOf, type Candidate, type Finding, type Place, type Rule, type TextEnd } from "../scan/rule.ts";
import type { VisibleText } from "../scan/visible-text.ts";
import { isSecretName } from "./secret-name.ts";
import { isTemplate } from "./placeholder.ts";

/** From the start of a line to the end of the variable's name. */
const longestHead = 256;
/** A line that is longer is no neighbour, and a value that is longer is decided without its end. */
const longestLine = 4_096;
const nameSet = characterSet("[A-Za-z0-9_]");
const lineEnds = characterSet("[\\n\\0]");
const restOfLine = runOf(characterSet("[^\\n\\0\\r]"));

const indent = String.raw`[ \t]*(?:- )?["']?`;
const name = "([A-Za-z_][A-Za-z0-9_]{0,127})";
/** Said to be of the environment by the command before it. */
const exported = new RegExp(
  String.raw`^[ \t]*(?:(?:export|declare -[a-zA-Z]{1,4}|typeset -[a-zA-Z]{1,4})[ \t]{1,4}${name}=|(?:setenv|set -[a-zA-Z]{1,4})[ \t]{1,4}${name}[ \t]{1,4}|\$env:${name}[ \t]{0,4}=[ \t]{0,4})`,
);
const assigned = new RegExp(`^${indent}([A-Z_][A-Z0-9_]{0,127})=`);
const unfinished = /^[ \t]*(?:- )?["']?[A-Za-z_$:0-9 \t-]*$/;
const emptyOrComment = /^[ \t\r]*(?:#.*)?$/;
/** What ends like this goes on in the next line, or is one of many: code. */
const codeEnd = /[;,({[]$|\*\/$/;
const noSecret = /^(?:.{0,2}|\d{1,3}|0x[0-9a-fA-F]{1,8}|true|false|yes|no|on|off|null|none|undefined)$/i;
/** Of a private key that is the value of the variable before: one line once it is redacted, and so a neighbour. */
const keyLine = /^(?:[A-Za-z0-9+/=]{32,}|-----END [A-Z0-9 ]{1,40}-----.{0,8})\r?$/;
const codeStart = /^["']?[$`({<]/;

export const environmentRule: Rule = {
  beginnings: [
    ..."TOKEN SECRET PASSW PASSPHRASE _PASS PASS= _PWD KEY CREDENTIAL _CRED".split(" "),
    ..."_AUTH COOKIE _JWT _PAT= BEARER SALT=".split(" "),
    // Only behind `export`, whatever the case.
    ..."oken= cret= word= _key= pikey= hrase=".split(" "),
  ],
  ignoresCase: false,
  begin: ({ start }: Place): Candidate => new EnvironmentCandidate(start),
};

interface Assignment {
  readonly isExported: boolean;
  readonly lineStart: number;
  readonly valueStart: number;
}

class EnvironmentCandidate implements Candidate {
  readonly start: number;
  #assignment: Assignment | undefined;
  /** How far the text has been read in vain. */
  #read: number;

  constructor(start: number) {
    this.start = start;
    this.#read = start;
  }

  advance(text: VisibleText, end: TextEnd): Finding | "none" | undefined {
    // Letters alone bring no news: a name, a value or a comment goes on.
    const limit = this.#read + longestHead;
    const isSame = text.end < limit && text.findOutside(nameSet, this.#read, text.end) === text.end;
    if (end === "open" && isSame) return undefined;
    if (this.#assignment === undefined) {
      const assignment = readAssignment(text, this.start, end);
      if (assignment === "none") return "none";
      this.#read = assignment?.valueStart ?? text.end;
      this.#assignment = assignment;
    }
    return this.#assignment === undefined ? undefined : this.#judge(this.#assignment, text, end);
  }

  /** The rest of the line: it has one name. */
  covers(text: VisibleText, position: number): boolean {
    const limit = Math.min(position, this.start + longestHead);
    return position === limit && text.findInside(lineEnds, this.start, limit) === position;
  }

  #judge(
    { isExported, lineStart, valueStart }: Assignment,
    text: VisibleText,
    end: TextEnd,
  ): Finding | "none" | undefined {
    const limit = Math.min(text.end, valueStart + longestLine);
    const valueEnd = text.findInside(lineEnds, Math.min(this.#read, limit), limit);
    this.#read = valueEnd;
    if (valueEnd === text.end && end === "open") return undefined;
    const value = text.slice(valueStart, valueEnd).trimEnd();
    if (!isWorthHiding(value, isExported)) return "none";
    const finding = { kind: "environment", start: valueStart, end: valueStart, growth: restOfLine };
    if (isExported || isAfterAssignment(text, lineStart)) return finding;
    if (valueEnd === valueStart + longestLine) return "none";
    const isDump = end === "cut" ? true : isBeforeAssignment(text, valueEnd + 1, end);
    return isDump === undefined ? undefined : isDump ? finding : "none";
  }
}

/** The assignment in whose name the hit is. Undefined: the line is not read far enough. */
function readAssignment(text: VisibleText, hit: number, end: TextEnd): Assignment | "none" | undefined {
  const lineStart = lineStartBefore(text, hit, longestHead);
  if (lineStart === undefined) return "none";
  const head = text.slice(lineStart, lineStart + longestHead);
  const match = exported.exec(head) ?? assigned.exec(head);
  if (match === null) {
    const mayGoOn = end === "open" && lineStart + head.length === text.end && head.length < longestHead;
    return mayGoOn && unfinished.test(head) ? undefined : "none";
  }
  const found = match.slice(1).find((group) => group !== undefined) ?? "";
  const valueStart = lineStart + match[0].length;
  if (hit >= valueStart || !isSecretName(found)) return "none";
  return { isExported: exported.test(head), lineStart, valueStart };
}

function isWorthHiding(value: string, isExported: boolean): boolean {
  const unquoted = value.replace(/^(["'])(.*)\1$/, "$2");
  if (isTemplate(unquoted) || noSecret.test(unquoted) || codeStart.test(value)) return false;
  return isExported || !codeEnd.test(value.replace(/",$/, ""));
}

/** Undefined when the line begins farther back than `most`. */
function lineStartBefore(text: VisibleText, position: number, most: number): number | undefined {
  if (most <= 0) return undefined;
  const from = Math.max(0, position - most);
  const before = text.slice(from, position);
  const newline = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\0"));
  if (newline < 0) return from === 0 ? 0 : undefined;
  return position - before.length + newline + 1;
}

function isAfterAssignment(text: VisibleText, lineStart: number): boolean {
  let at = lineStart;
  while (at > 0) {
    const start = lineStartBefore(text, at - 1, longestLine - (lineStart - at));
    if (start === undefined) return false;
    const line = text.slice(start, at - 1);
    if (!emptyOrComment.test(line)) return isAssignment(line) || keyLine.test(line);
    at = start;
  }
  return false;
}

/** Undefined when the next line is not read far enough. */
function isBeforeAssignment(text: VisibleText, from: number, end: TextEnd): boolean | undefined {
  const limit = from + longestLine;
  let at = from;
  while (at < limit) {
    const lineEnd = text.findInside(lineEnds, at, Math.min(text.end, limit));
    const line = text.slice(at, lineEnd);
    if (isAssignment(line.slice(0, longestHead))) return true;
    if (lineEnd >= text.end) {
      const mayBe = end === "open" && (unfinished.test(line) || emptyOrComment.test(line));
      return mayBe && line.length < longestHead ? undefined : false;
    }
    if (!emptyOrComment.test(line)) return false;
    at = lineEnd + 1;
  }
  return false;
}

function isAssignment(line: string): boolean {
  return assigned.test(line) || exported.test(line);
}
