// Confined runs of keepers, as this user and, where this one is root, as one without privileges.
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { locateBinary, type Confinement, type StartRequest } from "../../src/keeper/index.ts";
import { compileFixture, fixturesDirectory } from "./compile-fixture.ts";
import { collectOutput, completeRequest, openKeeperHome } from "./keeper-home.ts";
import { newTestHome, testDirectory } from "./test-home.ts";

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/** Linux 6.12 with Landlock; for a user without privileges, with user namespaces. */
export const canConfine = spawnSync(locateBinary(), ["confine"]).status === 0;

/** Whom a test is repeated for: both ways to a mount namespace. */
export const users = isRoot ? (["root", "nobody"] as const) : (["this user"] as const);
export type User = (typeof users)[number];

/** What every program needs, as the daemon lists it. */
export const devices: Confinement = {
  write: ["/dev/null", "/dev/tty", "/dev/ptmx", "/dev/pts"],
  hide: ["/dev/pts"],
  show: [],
};

/** A directory of this user's, inside the test's. */
export function directoryFor(user: User, name: string): string {
  const directory = join(newTestHome(), name);
  mkdirSync(directory, { recursive: true });
  for (const path of [testDirectory(), join(directory, "..")]) chmodSync(path, 0o755);
  if (user === "nobody")
    for (const path of [join(directory, ".."), directory]) chownSync(path, nobody, nobody);
  return directory;
}

export interface ConfinedEnd {
  readonly exit: unknown;
  readonly lines: readonly string[];
}

/** Runs a shell script to its end; `$ATTEMPT` is the program that tries things. */
export async function runConfined(
  user: User,
  script: string,
  request: Partial<StartRequest> & { readonly confinement: Confinement },
): Promise<ConfinedEnd> {
  const argv = ["/bin/sh", "-c", script];
  const env = { PATH: "/usr/bin:/bin", ATTEMPT: compileFixture("attempt") };
  const { exit, output } = await (user === "nobody" ? runAsNobody : runHere)(
    completeRequest({ argv, env, mode: "merged", ...request }),
  );
  return { exit, lines: output.split(/\r?\n/).filter((line) => line !== "") };
}

interface RunEnd {
  readonly exit: unknown;
  readonly output: string;
}

async function runHere(request: StartRequest): Promise<RunEnd> {
  const keeper = await openKeeperHome();
  const outcome = await keeper.launcher.start(request);
  if (outcome.kind === "failed") return { exit: outcome, output: "" };
  const { exit } = await outcome.ended;
  const kept = keeper.kept(request.id);
  const output = (await collectOutput(kept)).toString();
  kept.close();
  return { exit, output };
}

async function runAsNobody(request: StartRequest): Promise<RunEnd> {
  const home = directoryFor("nobody", "home");
  const program = join(fixturesDirectory, "confine-as-nobody.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [program, home, JSON.stringify(request)]);
  return JSON.parse(stdout) as RunEnd; // the fixture's own words
}
