// Two sessions and a person in one daemon, and what belongs to the first of them.
import type { Client } from "../../src/sdk/index.ts";
import type { Right } from "../../src/protocol/shares.ts";
import { connectedClient } from "./connected-client.ts";
import { openDaemonHome, type DaemonHome } from "./daemon-home.ts";

export interface TwoSessions {
  readonly daemon: DaemonHome;
  readonly owner: Client;
  readonly other: Client;
  readonly person: Client;
}

/** All of session `owner`. */
export interface Belongings {
  /** A terminal that runs. */
  readonly id: string;
  readonly job: string;
  readonly watch: string;
  /** Of the end of the job. */
  readonly notice: string;
  readonly delegation: string;
  /** Key of a terminal. */
  readonly terminal: string;
}

export async function openTwoSessions(): Promise<TwoSessions> {
  const daemon = await openDaemonHome();
  const { home } = daemon;
  return {
    daemon,
    owner: await connectedClient({ home, session: "owner" }),
    other: await connectedClient({ home, session: "other" }),
    person: await connectedClient({ home }),
  };
}

export async function belongingsOf(owner: Client): Promise<Belongings> {
  const { id } = await owner.process.start({ command: "cat", cwd: "/", mode: "pty", stdin: "open" });
  const { id: watch } = await owner.watch.add({ id, watch: { kind: "text", text: "never said" } });
  const { id: job } = await owner.job.run({ command: "echo secret of the job", cwd: "/" });
  const { notices } = await owner.notifications.claim({
    consumer: "owner",
    process: job,
    leaseMs: 100,
    waitMs: 10_000,
  });
  const { id: delegation } = await owner.delegation.start({ goal: "something" });
  const terminal = `of ${id}`;
  await owner.terminal.open({ key: terminal, cwd: "/", shell: "/bin/sh" });
  return { id, job, terminal, watch, notice: notices[0]?.id ?? "", delegation };
}

export async function share(person: Client, { id, job }: Belongings, right: Right | "none"): Promise<void> {
  for (const one of [id, job]) await person.process.share({ id: one, session: "other", right });
}
