// The password in an address, between its user and its host. User, host, path and query stay.
import { characterSet } from "../pattern/parse-pattern.ts";
import type { Candidate, Finding, Place, Rule, TextEnd } from "../scan/rule.ts";
import type { VisibleText } from "../scan/visible-text.ts";
import { isTemplate } from "./placeholder.ts";

/** Longer ones are no user and no password: it bounds what is held back. */
const mostCharacters = 1_024;
const colon = 0x3a;
const schemeEnd = /[A-Za-z0-9+.-]$/;
const userSet = characterSet("[^\\s/?#:@\"'`<>\\\\(){}\\[\\]|^,;\\0]");
const passwordSet = characterSet("[^\\s/?#\"'`<>\\\\\\0]");
/** An image with its digest, as in name:tag@sha256:…, is no address. */
const digest = "sha256:";

export const urlPasswordRule: Rule = {
  beginnings: ["://", ":\\/\\/"],
  ignoresCase: false,
  begin({ text, start, end }: Place): Candidate | undefined {
    return schemeEnd.test(text.slice(start - 1, start)) ? new UrlCandidate(start, end) : undefined;
  },
};

class UrlCandidate implements Candidate {
  readonly start: number;
  readonly #userStart: number;
  #at: number;
  #passwordStart: number | undefined;

  constructor(start: number, end: number) {
    this.start = start;
    this.#userStart = end;
    this.#at = end;
  }

  advance(text: VisibleText, end: TextEnd): Finding | "none" | undefined {
    if (this.#passwordStart === undefined) {
      const limit = Math.min(text.end, this.#userStart + mostCharacters);
      this.#at = text.findOutside(userSet, this.#at, limit);
      if (this.#at === text.end) return end === "open" ? undefined : "none";
      if (text.codeAt(this.#at) !== colon) return "none";
      this.#at += 1;
      this.#passwordStart = this.#at;
    }
    return this.#findPassword(this.#passwordStart, text, end);
  }

  #findPassword(start: number, text: VisibleText, end: TextEnd): Finding | "none" | undefined {
    this.#at = text.findOutside(passwordSet, this.#at, Math.min(text.end, start + mostCharacters));
    if (this.#at === text.end && end === "open") return undefined;
    const value = text.slice(start, this.#at);
    if (this.#at === text.end && end === "cut") return halfOf(value, start);
    const at = value.lastIndexOf("@");
    const isImage = value.startsWith(digest, at + 1);
    if (at <= 0 || isImage || isTemplate(value.slice(0, at))) return "none";
    return { kind: "url-password", start, end: start + at };
  }
}

/** At a cut nobody knows whether an @ follows; only a port is surely no password. */
function halfOf(value: string, start: number): Finding | "none" {
  const at = value.lastIndexOf("@");
  const end = at > 0 ? at : value.length;
  return /^\d{0,5}$/.test(value) ? "none" : { kind: "url-password", start, end: start + end };
}
