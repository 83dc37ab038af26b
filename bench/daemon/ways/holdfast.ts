// Ours: the SDK over the home's socket.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type Client } from "../../../src/sdk/index.ts";
import { benchEnvironment } from "../../keeper/bench-home.ts";
import { pidsWhere } from "../process-facts.ts";
import { idleArgv, shortProgram, type OpenWay, type Way } from "./way.ts";

const common = { cwd: "/", environment: { set: benchEnvironment, exact: true } } as const;

function assertSuccess(exit: { readonly kind: string; readonly code?: number } | null): void {
  if (exit?.kind !== "exited" || exit.code !== 0) throw new Error(`an odd end: ${JSON.stringify(exit)}`);
}

const waitMs = 60_000;

/** A start whose answer has the end. */
export const openHoldfast: OpenWay = async ({ home }) => {
  const client = await connect({ home });
  const startToEnd = async (): Promise<void> => {
    const { exit } = await client.process.start({ command: [shortProgram], ...common, waitMs });
    assertSuccess(exit);
  };
  return { ...sharedParts(client, home), startToEnd };
};

/** A start, then a wait: for whoever does something in between. */
export const openHoldfastTwoCalls: OpenWay = async ({ home }) => {
  const client = await connect({ home });
  const startToEnd = async (): Promise<void> => {
    const { id } = await client.process.start({ command: [shortProgram], ...common });
    const { results } = await client.process.wait({ ids: [id] });
    assertSuccess(results[0]?.process.exit ?? null);
  };
  return { ...sharedParts(client, home), startToEnd };
};

/** A start, and the end as an event: for whoever has many. */
export const openHoldfastEvents: OpenWay = async ({ home }) => {
  const client = await connect({ home });
  const ended = new Map<string, PromiseWithResolvers<void>>();
  const endOf = (id: string): PromiseWithResolvers<void> => {
    const end = ended.get(id) ?? Promise.withResolvers<void>();
    ended.set(id, end);
    return end;
  };
  const leaving = new AbortController();
  const listen = async (): Promise<void> => {
    for await (const event of client.events({ signal: leaving.signal })) {
      if (event.kind !== "process.ended") continue;
      assertSuccess(event.process.exit);
      endOf(event.processId).resolve();
    }
  };
  const listening = listen().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  const startToEnd = async (): Promise<void> => {
    const { id } = await client.process.start({ command: [shortProgram], ...common });
    await endOf(id).promise;
    ended.delete(id);
  };
  const parts = sharedParts(client, home);
  const close = async (): Promise<void> => {
    leaving.abort();
    await listening;
    await parts.close();
  };
  return { ...parts, startToEnd, close };
};

const holdAtOnce = 8;

export async function holdIdle(client: Client, count: number): Promise<void> {
  let left = count;
  const some = async (): Promise<void> => {
    while (left-- > 0) await client.process.start({ command: [...idleArgv], ...common });
  };
  await Promise.all(Array.from({ length: holdAtOnce }, some));
}

function sharedParts(client: Client, home: string): Omit<Way, "startToEnd"> {
  return {
    hold: (count) => holdIdle(client, count),
    follow: async (argv, count, receive) => {
      const follow = async (index: number, id: string): Promise<void> => {
        for await (const event of client.output(id)) {
          if (event.kind === "data")
            receive(index, Buffer.from(event.bytes.buffer, event.bytes.byteOffset, event.bytes.length));
        }
      };
      for (let index = 0; index < count; index++) {
        const { id } = await client.process.start({ command: [...argv], ...common });
        void follow(index, id);
      }
    },
    list: async () => (await client.process.list({ limit: 1_000 })).processes.length,
    ownPids: async () => {
      const { pid, launcherPid } = await client.daemon.status();
      const binary = join(home, "bin/keeper-");
      const keepers = pidsWhere((of) => readFileSync(`/proc/${of}/cmdline`, "latin1").startsWith(binary));
      return [
        pid,
        ...keepers.filter((keeper) => keeper !== launcherPid),
        ...(launcherPid === null ? [] : [launcherPid]),
      ];
    },
    close: async () => {
      await client.process.stop({ all: true, graceMs: 0 });
      client.close();
    },
  };
}
