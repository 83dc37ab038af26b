// pm2 by its own programming interface, and its bus for ends and output.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";

import { idleArgv, shortProgram, type OpenWay } from "./way.ts";

/** Has a package.json of its own: nothing of it belongs to Holdfast. */
export const peersDirectory = join(import.meta.dirname, "../../peers");

type Done<Value> = (error: Error | null, value: Value) => void;

interface Packet {
  readonly event?: string;
  readonly data?: string;
  readonly process: { readonly name: string; readonly exit_code?: number };
}

interface Bus {
  on(event: "process:event" | "log:out", listener: (packet: Packet) => void): void;
}

/** The part of it that is used; it brings no types of its own that strict checks accept. */
interface Pm2 {
  connect(done: Done<void>): void;
  launchBus(done: Done<Bus>): void;
  start(options: object, done: Done<unknown>): void;
  delete(name: string, done: Done<unknown>): void;
  list(done: Done<readonly unknown[]>): void;
  killDaemon(done: Done<unknown>): void;
  disconnect(): void;
}

export const openPm2: OpenWay = async ({ directory }) => {
  // Read by pm2 when it is loaded.
  process.env["PM2_HOME"] = directory;
  process.env["PM2_DISCRETE_MODE"] = "true";
  const pm2 = createRequire(join(peersDirectory, "package.json"))("pm2") as Pm2;
  await promisify<void>((done) => pm2.connect(done))();
  const bus = await promisify<Bus>((done) => pm2.launchBus(done))();
  const ends = new Map<string, PromiseWithResolvers<void>>();
  bus.on("process:event", ({ event, process: { name, exit_code: code } }) => {
    if (event !== "exit") return;
    if (code === 0) ends.get(name)?.resolve();
    else ends.get(name)?.reject(new Error(`exit code ${code}`));
  });
  let count = 0;
  let last = "";
  const start = async ([script, ...args]: readonly string[]): Promise<void> => {
    last = `p${++count}`;
    ends.set(last, Promise.withResolvers());
    const options = {
      script,
      args,
      name: last,
      interpreter: "none",
      autorestart: false,
      cwd: "/",
      pmx: false,
    };
    await promisify<unknown>((done) => pm2.start(options, done))();
  };
  return {
    startToEnd: async () => {
      await start([shortProgram]);
      await ends.get(last)?.promise;
    },
    // Or each start would look through all that were before it.
    tidy: async () => {
      await promisify<unknown>((done) => pm2.delete(last, done))();
    },
    hold: async (many) => {
      for (let index = 0; index < many; index++) await start(idleArgv);
    },
    follow: async (argv, many, receive) => {
      const indexes = new Map<string, number>();
      bus.on("log:out", ({ process: { name }, data }) => {
        const index = indexes.get(name);
        if (index !== undefined) receive(index, Buffer.from(`${data?.trimEnd()}\n`));
      });
      for (let index = 0; index < many; index++) {
        indexes.set(`p${count + 1}`, index);
        await start(argv);
      }
    },
    list: async () => (await promisify<readonly unknown[]>((done) => pm2.list(done))()).length,
    ownPids: () => Promise.resolve([Number(readFileSync(join(directory, "pm2.pid"), "utf8"))]),
    close: async () => {
      await promisify<unknown>((done) => pm2.killDaemon(done))();
      pm2.disconnect();
    },
  };
};
