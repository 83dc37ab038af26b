// The end of one process, however long it takes.
import type { Client } from "../../client/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import type { ProcessView } from "../../protocol/process.ts";

/** The daemon waits for so long at a time; it is asked again. */
export async function waitForEnd(client: Client, id: string, signal: AbortSignal): Promise<ProcessView> {
  for (;;) {
    const { results } = await client.process.wait({ ids: [id] }, { signal });
    const [result] = results;
    if (result === undefined)
      throw new HoldfastError("INTERNAL", `The daemon waited for ${id} and tells nothing of it.`);
    if (result.process.state === "ended") return result.process;
  }
}
