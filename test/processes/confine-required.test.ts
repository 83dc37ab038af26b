// Confinement that the configuration requires: whoever starts something for a session, by whatever door, gets it and cannot widen it.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf, ownRuntimeDirectory, placeOutside, runScript } from "../support/confined-daemon.ts";
import { canConfine } from "../support/confined-runs.ts";
import { openCliHome } from "../support/cli-home.ts";
import { ask, refused } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { openAgent } from "../support/mcp-client.ts";
import { newTestHome } from "../support/test-home.ts";

function writeConfinement(home: string, profiles: unknown): void {
  writeFileSync(join(home, "holdfast.yaml"), JSON.stringify({ confinement: { profiles } }), { mode: 0o600 });
}

const owner = { session: "agent" };

/** Tells 0 for each that could be made. */
function makeIn(...places: readonly string[]): string {
  return `for place in ${places.join(" ")}; do mkdir $place/$$ 2>/dev/null; echo $?; done`;
}

test.runIf(canConfine)(
  "commands of a session are confined by the lists of their profile; others are not",
  async () => {
    const home = newTestHome();
    const [workspace, cwd, secrets] = [placeOutside(), placeOutside(), placeOutside()];
    mkdirSync(join(workspace, "cache"));
    // What a confined command may have left for the next one.
    symlinkSync(cwd, join(workspace, "link"));
    writeFileSync(join(secrets, "key"), "private\n");
    const write = [workspace, join(workspace, "link")];
    writeConfinement(home, {
      default: { require: "sessions", write, hide: [secrets, "/tmp"] },
      open: { require: "never" },
    });
    const daemon = await openDaemonHome({ home, environment: ownRuntimeDirectory() });
    const script = `${makeIn(workspace, ".", `${workspace}/link`)}; cat ${secrets}/key; touch /tmp/x$$; ls -A /tmp | wc -l`;
    const { started, lines } = await runScript(daemon, script, { cwd, owner });
    expect(started.confined).toBe(true);
    // The directory it runs in is not writable for being that; /tmp is an empty one of its own.
    expect(lines.slice(0, 3)).toEqual(["0", "1", "1"]);
    expect(lines.slice(3)).toEqual([expect.stringContaining("No such file"), "1"]);

    for (const more of [{}, { owner: { ...owner, profile: "open" } }]) {
      const free = await runScript(daemon, `${makeIn(".")}; cat ${secrets}/key`, { cwd, ...more });
      expect(free.started.confined).toBe(false);
      expect(free.lines).toEqual(["0", "private"]);
    }

    const asked = { command: ["/bin/true"], cwd, owner };
    expect(await refused(daemon, "process.start", { ...asked, confine: { write: [cwd] } })).toMatchObject({
      code: "POLICY_DENIED",
      message: expect.stringContaining(cwd) as string,
    });
    const within = { write: [join(workspace, "cache")] };
    expect((await ask(daemon, "process.start", { ...asked, confine: within })).confined).toBe(true);
    const job = await ask(daemon, "job.run", { ...asked, command: ["/bin/sh", "-c", makeIn(".")] });
    expect(await linesOf(daemon, job.id)).toEqual(["1"]);
  },
);

test.runIf(canConfine)(
  "an agent's commands are, and it is told once; only a person changes that",
  async () => {
    const cli = openCliHome();
    const outside = placeOutside();
    const workspace = placeOutside();
    writeConfinement(cli.home, { default: { require: "sessions", write: [workspace] } });
    const environment = ownRuntimeDirectory();
    const agent = await openAgent(cli, { environment });
    const command = `mkdir ${workspace}/$$ && echo inside; mkdir ${outside}/x || echo refused`;
    const told = await agent.call("terminal", { command });
    expect(told.text).toContain("  | inside");
    expect(told.text).toContain("  | refused");
    expect(told.text).toContain(`Confined: it may write only below ${workspace}`);
    const again = await agent.call("terminal", { command: "true" });
    expect(again.text).not.toContain("Confined");

    const free = JSON.stringify({ default: { require: "never" } });
    const asAgent = await cli.run(["config", "set", "confinement.profiles", free], {
      environment: { HOLDFAST_SESSION: "agent" },
    });
    expect(asAgent).toMatchObject({ code: 4, stderr: expect.stringContaining("PERSON_REQUIRED") as string });
    expect(await cli.run(["config", "set", "confinement.profiles", free])).toMatchObject({ code: 0 });
    const after = await agent.call("terminal", { command: `mkdir ${outside}/x && echo made` });
    expect(after.text).toContain("  | made");
    expect((await cli.run(["audit", "--json"])).stdout).toContain("confinement.profiles");
  },
);
