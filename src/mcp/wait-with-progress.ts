// A wait that says how it stands, and that notices when a terminal program asks for input.
import type { OperationInput, OperationOutput } from "../protocol/operations.ts";
import { quoteWord } from "../protocol/quoted-text.ts";
import { durationText } from "./answer/describe-process.ts";
import type { ToolCall } from "./tool-call.ts";

export type Waited = OperationOutput<"process.wait">["results"][number] & {
  readonly waitedMs: number;
  /** It waits for somebody to type: there is nothing to wait for. */
  readonly prompt?: "input" | "password";
};

export interface WaitRequest {
  readonly id: string;
  readonly for?: OperationInput<"process.wait">["for"];
  readonly timeoutMs: number;
  /** Look whether a terminal program asks for something. */
  readonly noticesPrompts: boolean;
}

const progressEveryMs = 2_000;
// A program that has just printed its prompt reads at once; one that computes does not.
const promptEveryMs = 500;
// A full-screen program is only guessed to wait, from its silence: so many looks in a row must agree.
const guessesNeeded = 4;
const never = new Promise<never>(() => undefined);

/** @throws HoldfastError as process.wait, or the signal's reason */
export async function waitWithProgress(call: ToolCall, request: WaitRequest): Promise<Waited> {
  const beganMs = performance.now();
  const over = new AbortController();
  const signal = AbortSignal.any([call.signal, over.signal]);
  const elapsed = (): number => Math.round(performance.now() - beganMs);
  const waiting = call.operations
    .call(
      "process.wait",
      { ids: [request.id], for: request.for ?? { kind: "exit" }, timeoutMs: request.timeoutMs },
      { signal },
    )
    .then(({ results: [result] }) => result);
  const telling = setInterval(() => void tell(call, request, elapsed()), progressEveryMs);
  try {
    const prompted = request.noticesPrompts ? watchPrompt(call, request.id, signal) : never;
    for (const one of [waiting, prompted]) one.catch(() => undefined); // only the first of them counts
    const first = await Promise.race([waiting, prompted]);
    if (typeof first === "object") return { ...first, waitedMs: elapsed() };
    const process = await call.operations.call("process.get", { id: request.id }, { signal: call.signal });
    const pending = { id: process.id, outcome: "pending", process, waitedMs: elapsed() } as const;
    return first === undefined ? pending : { ...pending, prompt: first };
  } finally {
    clearInterval(telling);
    over.abort();
  }
}

async function tell(call: ToolCall, { id, timeoutMs }: WaitRequest, elapsedMs: number): Promise<void> {
  const { progress, operations, signal } = call;
  if (progress === undefined || signal.aborted) return;
  try {
    const { lastLine } = await operations.call("process.get", { id }, { signal });
    const shown = lastLine === "" ? "" : `: ${quoteWord(lastLine, 120)}`;
    progress(elapsedMs / 1_000, timeoutMs / 1_000, `${id} runs for ${durationText(elapsedMs)}${shown}`);
  } catch {
    // Progress is a courtesy: what is wrong is told by the wait itself.
  }
}

async function watchPrompt(call: ToolCall, id: string, signal: AbortSignal): Promise<"input" | "password"> {
  let guesses = 0;
  for (;;) {
    await pause(promptEveryMs, signal);
    const { inputWait, outputBytes } = await call.operations.call("process.get", { id }, { signal });
    const { waits, guess } = inputWait;
    // One that has said nothing yet has asked for nothing.
    const isWaiting = outputBytes > 0 && (waits === "yes" || waits === "password");
    guesses = isWaiting && guess ? guesses + 1 : 0;
    if (isWaiting && (!guess || guesses >= guessesNeeded)) return waits === "password" ? "password" : "input";
  }
}

/** Never resolves once the signal has fired: whoever races it has gone on. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
