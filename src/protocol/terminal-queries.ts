// What the daemon's emulator answers for a terminal, so that nobody else does: a second answer would be typed into the
// program as well. A viewer's stream does not contain them; the command line takes them out before a real terminal sees them.

export interface AnsweredQuery {
  readonly name: string;
  /** CSI: parameters may follow; DCS: what the string begins with. */
  readonly kind: "csi" | "dcs";
  /** Of a CSI, before its parameters. */
  readonly prefix: "" | "?" | ">" | "=";
  readonly intermediates: string;
  readonly final: string;
  /** Only with one of these as the first parameter; all when missing. */
  readonly parameters?: readonly number[];
}

function csi(
  name: string,
  prefix: AnsweredQuery["prefix"],
  intermediates: string,
  final: string,
  parameters?: readonly number[],
): AnsweredQuery {
  return {
    name,
    kind: "csi",
    prefix,
    intermediates,
    final,
    ...(parameters === undefined ? {} : { parameters }),
  };
}

export const answeredQueries: readonly AnsweredQuery[] = [
  csi("DA1", "", "", "c"),
  csi("DA2", ">", "", "c"),
  csi("DSR", "", "", "n", [5, 6]),
  csi("DECXCPR", "?", "", "n", [6]),
  csi("DECRQM", "", "$", "p"),
  csi("DECRQM private", "?", "$", "p"),
  { name: "DECRQSS", kind: "dcs", prefix: "", intermediates: "$", final: "q" },
];
