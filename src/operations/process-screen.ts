import { hasNoRun } from "../processes/index.ts";
import { defaultSize } from "../protocol/terminal-size.ts";
import type { Handler } from "./context.ts";

export const processScreen: Handler<"process.screen"> = async (
  { processes, terminals, redactor },
  { input, caller },
) => {
  const record = await processes.registry.find(input.id);
  const { id } = record;
  if (record.mode === "pty" && (await hasNoRun(processes, record))) return { id, ...emptyScreen };
  // What a session reads goes to a model; as one text, since a key of several lines is recognised only whole.
  const clean = (lines: readonly string[]): string[] => {
    if (caller.session === undefined) return [...lines];
    const texts = lines.map((line) => `${line}\n`);
    return redactor
      .pieces(texts, { startsInside: true, endsInside: true })
      .map((text) => text.replace(/\n$/, ""));
  };
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
