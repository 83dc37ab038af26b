import { hasNoRun } from "../processes/index.ts";
import { defaultSize } from "../protocol/terminal-size.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Handler } from "./context.ts";

export const processScreen: Handler<"process.screen"> = async (
  { processes, terminals, redactor },
  { input, caller },
) => {
  const record = await processes.registry.find(input.id);
  const { id } = record;
  if (record.mode === "pty" && (await hasNoRun(processes, record))) return { id, ...emptyScreen };
  // What a session reads goes to a model.
  const clean = (lines: readonly string[], wrapped: readonly boolean[]): string[] =>
    caller.session === undefined ? [...lines] : cleanRows(lines, wrapped, redactor);
  const { missing, changedLines, title, ...screen } = await terminals.look(record, input.since, clean);
  return {
    id,
    ...screen,
    lines: [...screen.lines],
    title: caller.session === undefined ? title : redactor.line(title),
    ...(changedLines === undefined ? {} : { changedLines }),
    ...(missing === undefined ? {} : { missing }),
  };
};

/**
 * As one text, since a key of several lines is recognised only whole; what was wrapped is joined. A star for each byte: columns stay where
 * they are.
 */
function cleanRows(lines: readonly string[], wrapped: readonly boolean[], redactor: Redactor): string[] {
  const ends = lines.map((_, row) => (row + 1 < lines.length && wrapped[row + 1] === true ? "" : "\n"));
  const text = Buffer.from(lines.map((line, row) => line + ends[row]).join(""));
  const clean = Buffer.from(redactor.bytes({ text, startsInside: true, endsInside: true }));
  let at = 0;
  return lines.map((line, row) => {
    const from = at;
    const to = from + Buffer.byteLength(line);
    at = to + (ends[row]?.length ?? 0);
    return clean.toString("utf8", from, to);
  });
}

/** Of a process that never ran. */
const emptyScreen = {
  lines: [],
  ...defaultSize,
  cursor: { line: 1, column: 1, isVisible: true },
  isAlternate: false,
  title: "",
  modes: { bracketedPaste: false, applicationCursor: false, mouse: "none" as const },
  offset: 0,
  version: "",
};
