import type { WaitOutput } from "../protocol/wait.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Handler } from "./context.ts";
import { waitAndTell } from "./wait-and-tell.ts";

export const processWait: Handler<"process.wait"> = async (context, call) => {
  const { processes } = context;
  const { input, caller } = call;
  // A wait for all of several goes on after the first end, which must not be kept back so long.
  const answersAtOnce = input.mode === "any" || input.ids.length === 1;
  const records =
    caller.session === undefined || !answersAtOnce
      ? []
      : await Promise.all(input.ids.map((reference) => processes.registry.find(reference)));
  const output = await waitAndTell(context, call, { verb: "process.wait", input, records });
  return caller.session === undefined ? output : redactMatches(output, context.redactor);
};

/** What a session reads goes to a model. */
function redactMatches(output: WaitOutput, redactor: Redactor): WaitOutput {
  const results = output.results.map((result) => {
    const { match } = result;
    return match === undefined ? result : { ...result, match: { ...match, line: redactor.line(match.line) } };
  });
  return { ...output, results };
}
