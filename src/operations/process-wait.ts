import { waitFor } from "../processes/index.ts";
import type { WaitOutput } from "../protocol/wait.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Handler } from "./context.ts";
import { holdEnds, tellEnds } from "./end-told.ts";

/** Leaves the processes alone, whatever ends the wait. */
export const processWait: Handler<"process.wait"> = async (context, call) => {
  const { processes, interrupts } = context;
  const { input, caller, signal } = call;
  // A wait for all of several goes on after the first end, which must not be kept back so long.
  const answersAtOnce = input.mode === "any" || input.ids.length === 1;
  const records =
    caller.session === undefined || !answersAtOnce
      ? []
      : await Promise.all(input.ids.map((reference) => processes.registry.find(reference)));
  const release = holdEnds(context, call, records);
  const wait = interrupts.begin(caller.session);
  try {
    const output = await waitFor(processes, input, { signal, interrupted: wait.signal });
    tellEnds(
      context,
      call,
      "process.wait",
      output.results.map((result) => result.process),
    );
    return caller.session === undefined ? output : redactMatches(output, context.redactor);
  } finally {
    release();
    wait.done();
  }
};

/** What a session reads goes to a model. */
function redactMatches(output: WaitOutput, redactor: Redactor): WaitOutput {
  const results = output.results.map((result) => {
    const { match } = result;
    return match === undefined ? result : { ...result, match: { ...match, line: redactor.line(match.line) } };
  });
  return { ...output, results };
}
