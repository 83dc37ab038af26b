import { stopProcesses } from "../processes/index.ts";
import type { Handler } from "./context.ts";
import { holdEnds, tellEnds } from "./end-told.ts";

export const processStop: Handler<"process.stop"> = async (context, call) => {
  const { processes } = context;
  const { input, caller } = call;
  const requester = {
    verb: "process.stop",
    requestId: caller.requestId,
    ...(caller.session === undefined ? {} : { session: caller.session }),
  };
  // Whoever names a process reads what became of it; a bulk stop swallows no notice.
  const named = caller.session === undefined ? [] : (input.ids ?? []);
  const records = await Promise.all(
    named.map((reference) => processes.registry.find(reference).catch(() => undefined)), // told per process below
  );
  const release = holdEnds(
    context,
    call,
    records.filter((record) => record !== undefined),
  );
  try {
    const results = await stopProcesses(processes, input, requester);
    if (named.length > 0)
      tellEnds(
        context,
        call,
        "process.stop",
        results.flatMap((result) => (result.process === undefined ? [] : [result.process])),
      );
    const stopped = results.filter(({ outcome }) => outcome === "ended" || outcome === "killed").length;
    return { results, stopped };
  } finally {
    release();
  }
};
