// What a list or a stream of events says about a process: its command line may carry a secret, its last line may show one.
import { lastLineCharacters } from "../processes/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { ProcessView } from "../protocol/process.ts";

export function redactView<View extends ProcessView & { readonly lastLine?: string | undefined }>(
  view: View,
  redactor: Redactor,
): View {
  if (!redactor.isEnabled) return view;
  return {
    ...view,
    command: redactor.line(view.command),
    argv: view.argv.map((word) => redactor.line(word)),
    ...(view.lastLine === undefined ? {} : { lastLine: redactLine(view.lastLine, redactor) }),
  };
}

/** One that was cut may end in half a secret. */
function redactLine(line: string, redactor: Redactor): string {
  return redactor.window({ text: line, endsInside: line.length >= lastLineCharacters }).text;
}
