// A home whose daemon a real systemd runs, for one test.
import { expect } from "vitest";
import { connect } from "../../src/client/node.ts";
import type { DaemonStatus } from "../../src/protocol/daemon.ts";
import { openCliHome, type CliAnswer, type CliHome } from "./cli-home.ts";
import { startUserManager, type UserManager } from "./user-manager.ts";

export const patience = { timeout: 20_000, interval: 50 };

export interface SupervisedHome extends Pick<UserManager, "systemctl"> {
  readonly cli: CliHome;
  readonly unit: string;
  readonly file: string;
  /** In the manager's environment, to its end; it must succeed. */
  readonly run: (...args: readonly string[]) => Promise<CliAnswer>;
  readonly show: (property: string) => Promise<string>;
  /** Starts a process that stays, and tells its pid. */
  readonly keep: () => Promise<number>;
}

/** Installs the unit of this home in a manager of its own. */
export async function openSupervised(home: string, options: readonly string[]): Promise<SupervisedHome> {
  const { environment, systemctl, show } = await startUserManager();
  const cli = openCliHome(home);
  const run = async (...args: readonly string[]): Promise<CliAnswer> => {
    const answer = await cli.run(args, { environment });
    expect(answer, `${args.join(" ")}: ${answer.stderr}`).toMatchObject({ code: 0 });
    return answer;
  };
  const { stdout } = await run("daemon", "install", "--force", "--json", ...options);
  const { name, file } = JSON.parse(stdout) as { name: string; file: string };
  const unit = `${name}.service`;
  const keep = async (): Promise<number> => {
    await using client = await connect({ home });
    const { pid } = await client.process.start({ command: ["sleep", "300"], lifetime: "detached" });
    return pid ?? 0;
  };
  return { cli, unit, file, run, systemctl, keep, show: (property) => show(unit, property) };
}

export async function statusOf(home: string): Promise<DaemonStatus | undefined> {
  try {
    await using client = await connect({ home, reconnectMs: 0 });
    return await client.daemon.status();
  } catch {
    return undefined; // none yet
  }
}

/** The daemon that answers, when it is another than the given one and the unit's own. */
export async function nextDaemon({ cli, show }: SupervisedHome, before: number): Promise<number> {
  const look = async (): Promise<unknown> => {
    const { pid, supervisor } = (await statusOf(cli.home)) ?? {};
    return {
      kind: supervisor?.kind,
      isNew: pid !== before,
      isUnits: String(pid) === (await show("MainPID")),
    };
  };
  await expect.poll(look, patience).toEqual({ kind: "systemd", isNew: true, isUnits: true });
  return Number(await show("MainPID"));
}

export async function doctorSays({ cli }: SupervisedHome, name: string): Promise<object | undefined> {
  await using client = await connect({ home: cli.home });
  const { checks } = await client.doctor();
  return checks.find((check) => check.name === name);
}
