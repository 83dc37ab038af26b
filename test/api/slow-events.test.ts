// A reader of events that does not read: it is closed with 4008 and comes back by its cursor. The runtime here is an
// endless source of events: the only thing a real daemon could not give quickly.
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startApi } from "../../src/api/index.ts";
import { UnixTransport } from "../../src/client/node/unix-transport.ts";
import type { EventsOptions, Runtime } from "../../src/operations/runtime.ts";
import { closeCode } from "../../src/protocol/live-frames.ts";
import type { Event } from "../../src/protocol/events.ts";
import { connectedClient } from "../support/connected-client.ts";
import { newTestHome } from "../support/test-home.ts";

const at = "2026-01-01T00:00:00.000Z";
const processId = "p_".padEnd(1_000, "x");

/** Counts how many readers are open and how far each was pulled. */
function endlessRuntime(): { runtime: Runtime; readers: { pulled: number; isOpen: boolean }[] } {
  const readers: { pulled: number; isOpen: boolean }[] = [];
  async function* events({ after = 0 }: EventsOptions): AsyncGenerator<Event, void, undefined> {
    const reader = { pulled: 0, isOpen: true };
    readers.push(reader);
    try {
      for (let cursor = after + 1; ; cursor += 1) {
        reader.pulled += 1;
        yield { kind: "process.removed", cursor, at, processId, session: null };
        if (cursor % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      reader.isOpen = false;
    }
  }
  return { runtime: { events } as unknown as Runtime, readers };
}

async function listening(runtime: Runtime): Promise<string> {
  const home = newTestHome();
  const api = await startApi({
    runtime,
    socketPath: join(home, "daemon.sock"),
    version: "1",
    eventStallMs: 50,
  });
  onTestFinished(() => api.close());
  return home;
}

interface Reader {
  readonly isOpen: boolean;
}

/** Waits until the daemon has given up on a reader. */
async function closed(reader: Reader | undefined): Promise<void> {
  await expect.poll(() => reader?.isOpen, { timeout: 10_000 }).toBe(false);
}

test("it is closed with 4008, holds a bounded amount until then, and its reader is freed", async () => {
  const { runtime, readers } = endlessRuntime();
  const home = await listening(runtime);
  const transport = new UnixTransport(join(home, "daemon.sock"));
  const socket = await transport.socket({ path: "/v1/events?after=0", headers: {} });
  await closed(readers[0]);
  // Two queues of this process, two buffers of the kernel: a few thousand events of a kilobyte.
  expect(readers[0]?.pulled).toBeLessThan(15_000);
  let last = 0;
  for (let text = await socket.receive(); text !== undefined; text = await socket.receive()) {
    const { cursor } = JSON.parse(String(text)) as Event;
    expect(cursor).toBe(last + 1);
    last = cursor;
  }
  expect([closeCode.tooSlow, undefined]).toContain(socket.closedWith);
  transport.close();
});

test("a client that was closed for being slow sees every event once", async () => {
  const { runtime, readers } = endlessRuntime();
  const client = await connectedClient({ home: await listening(runtime) });
  let last = 0;
  for await (const event of client.events({ after: 0 })) {
    expect(event.cursor).toBe(last + 1);
    last = event.cursor;
    // Stand still until the daemon has given up on this reader.
    if (last === 10) await closed(readers[0]);
    if (readers.length > 1 && last > (readers[0]?.pulled ?? 0) + 100) break;
  }
  // On a busy machine it is slow more than once.
  expect(readers.length).toBeGreaterThan(1);
  await expect.poll(() => readers.filter(({ isOpen }) => isOpen)).toEqual([]);
});
