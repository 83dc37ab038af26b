// Output as a person would read it on paper: escape sequences gone, lines that were drawn over themselves told as they ended.

export const sequences =
  // CSI, then strings (OSC, DCS, SOS, PM, APC) up to their end, then the short ones; 8-bit forms too.
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~])|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|\u001b[ -/]*[0-~]?/g;
// Everything below space but tab and newline, and the C1 range.
// eslint-disable-next-line no-control-regex -- as above
export const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const movesBack = /[\r\b]/;

/** Marks what is left of "erase in line" while a line is drawn; private use, never in real output. */
export const eraseRight = "\u{f0000}";
export const eraseLine = "\u{f0001}";

export function keepDrawing(
  _match: string,
  parameters: string | undefined,
  final: string | undefined,
): string {
  // To the first column, as spinners go there.
  if (final === "G") return parameters === "" || parameters === "1" ? "\r" : "";
  if (final !== "K") return "";
  return parameters === "" || parameters === "0" ? eraseRight : parameters === "2" ? eraseLine : "";
}

/** A line as it stood when it was finished: what carriage returns and backspaces drew over is gone. */
function drawLine(line: string): string {
  if (!movesBack.test(line)) return line.replaceAll(eraseRight, "").replaceAll(eraseLine, "");
  const cells: string[] = [];
  let column = 0;
  for (const character of line) {
    if (character === "\r") column = 0;
    else if (character === "\b") column = Math.max(0, column - 1);
    else if (character === eraseRight) cells.length = Math.min(cells.length, column);
    else if (character === eraseLine) cells.fill(" ");
    else {
      while (cells.length < column) cells.push(" ");
      cells[column] = character;
      column += 1;
    }
  }
  return cells.join("").trimEnd();
}

/** Whole lines in, whole lines out; a last line without its end is drawn as far as it came. */
export function plainText(text: string): string {
  return text
    .replace(sequences, keepDrawing)
    .split("\n")
    .map((line) => drawLine(line.endsWith("\r") ? line.slice(0, -1) : line).replace(controls, ""))
    .join("\n");
}
