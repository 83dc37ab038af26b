// What the daemon's emulator answers for a terminal, so that nobody else does: a second answer would be typed into the
// program as well. A viewer's stream does not contain them; the command line takes them out before a real terminal sees them.

/** As EscapeScanner tells it: codes, 0 where there is none. */
export interface QueryFacts {
  readonly prefix: number;
  readonly intermediates: number;
  readonly final: number;
  readonly firstParameter: number;
}

export interface AnsweredQuery {
  readonly name: string;
  readonly prefix: "" | "?" | ">";
  readonly intermediates: "" | "$";
  readonly final: string;
  /** Only with one of these as the first parameter (a missing one is 0); with any when not given. */
  readonly parameters?: readonly number[];
}

/** Control sequences: CSI prefix parameters intermediates final. */
export const answeredQueries: readonly AnsweredQuery[] = [
  { name: "DA1", prefix: "", intermediates: "", final: "c", parameters: [0] },
  { name: "DA2", prefix: ">", intermediates: "", final: "c", parameters: [0] },
  { name: "DSR", prefix: "", intermediates: "", final: "n", parameters: [5, 6] },
  { name: "DECXCPR", prefix: "?", intermediates: "", final: "n", parameters: [6] },
  { name: "DECRQM", prefix: "", intermediates: "$", final: "p" },
  { name: "DECRQM of a private mode", prefix: "?", intermediates: "$", final: "p" },
];

const byFinal = new Map<number, AnsweredQuery[]>();
for (const query of answeredQueries) {
  const final = query.final.charCodeAt(0);
  byFinal.set(final, [...(byFinal.get(final) ?? []), query]);
}

function codeOf(text: string): number {
  return text === "" ? 0 : text.charCodeAt(0);
}

export function isAnsweredQuery({ prefix, intermediates, final, firstParameter }: QueryFacts): boolean {
  return (byFinal.get(final) ?? []).some(
    (query) =>
      codeOf(query.prefix) === prefix &&
      codeOf(query.intermediates) === intermediates &&
      (query.parameters?.includes(firstParameter) ?? true),
  );
}

// eslint-disable-next-line no-control-regex -- escape sequences begin with a control character
const settingQuery = /^(?:\u001bP|\u00c2?\u0090)[0-9;:]*\$q/;

/** DECRQSS, the one device string that is answered. Given as text, each byte a character. */
export function isAnsweredString(text: string): boolean {
  return settingQuery.test(text);
}
