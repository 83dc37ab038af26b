// A store that takes nothing for a while: what was pushed is not pushed again and again, and nothing is forgotten.
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { canMount, fillDisk, mountSmallDisk } from "../support/small-disk.ts";
import { newTestHome } from "../support/test-home.ts";
import { openWebhookReceiver } from "../support/webhook-receiver.ts";

test.skipIf(!canMount)(
  "what was delivered while its delivery could not be written down is delivered once, and counts when there is room",
  async () => {
    const receiver = await openWebhookReceiver();
    const home = mountSmallDisk("8m");
    const secret = join(newTestHome(), "secret");
    writeFileSync(secret, `whsec_${randomBytes(32).toString("base64")}`, { mode: 0o600 });
    const sink = { kind: "webhook", url: receiver.url, secretFiles: [secret], allowHosts: ["127.0.0.1"] };
    const environment = { HOLDFAST_SINKS: JSON.stringify({ hook: { ...sink, acknowledge: true } }) };
    const daemon = await openDaemonHome({ home, environment });
    const client = await connectedClient({ home: daemon.home });
    receiver.answerWith((response) => {
      // The receiver has it; what it answers can no longer be stored.
      fillDisk(home);
      response.writeHead(204).end();
    });
    const { id } = await client.process.start({ command: "exit 3", cwd: "/", notify: "end" });
    await expect.poll(() => receiver.calls.length, { timeout: 10_000 }).toBe(1);
    // Many turns of a deliverer that would try again at once.
    for (let turn = 0; turn < 20; turn++) await client.notifications.list({ process: id });
    const state = async (): Promise<unknown> =>
      (await client.notifications.list({ process: id })).notices.map((notice) => notice.state);
    expect(await state()).toEqual(["pending"]);
    expect(receiver.calls).toHaveLength(1);
    for (const name of readdirSync(home).filter((file) => file.startsWith("filler-")))
      rmSync(join(home, name));
    await expect.poll(state, { timeout: 15_000 }).toEqual(["acknowledged"]);
    expect(receiver.calls).toHaveLength(1);
  },
);
