// Text of a process inside text of ours. Every line of it is marked: a process that prints what looks like a notice cannot pose as one.

const mark = "  | ";

export function quoteLines(text: string): string {
  const lines = text.replace(/\n+$/, "").split("\n");
  return lines.map((line) => mark + safeLine(line)).join("\n");
}

/** On one line, at most so many characters; nothing that a terminal would act on. */
export function quoteWord(text: string, mostCharacters: number): string {
  const line = safeLine(text.replaceAll(/\s+/g, " ").trim());
  return line.length <= mostCharacters ? line : `${line.slice(0, mostCharacters - 1)}…`;
}

/** Left as it is, unless it could be more than one line or hide something. */
export function safePath(path: string): string {
  return safeLine(path) === path ? path : quoteWord(path, 4_096);
}

/** Within a sentence: one of unusual letters stands in quotes, so that it cannot go on with the sentence. */
export function quotePath(path: string): string {
  return /^[\w./@:+,~=-]*$/.test(path) ? path : JSON.stringify(safePath(path));
}

/** Control characters, and what reorders or hides text (bidirectional marks, tags, zero width), become visible or vanish. */
function safeLine(line: string): string {
  return line
    .replaceAll("\t", "    ")
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, "\u{fffd}")
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu, "");
}
