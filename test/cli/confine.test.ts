// Confinement from the command line.
import { expect, test } from "vitest";
import { canConfine } from "../support/confined-runs.ts";
import { ownRuntimeDirectory, placeOutside } from "../support/confined-daemon.ts";
import { openCliHome } from "../support/cli-home.ts";
import { cliProgram } from "../support/programs.ts";

test.runIf(canConfine)(
  "`run --confine` writes here and nowhere else, `--confine-write` there too; `show` says so",
  async () => {
    const cli = openCliHome();
    const environment = ownRuntimeDirectory();
    const [workspace, extra] = [placeOutside(), placeOutside()];
    const script = `mkdir a$$ && echo here; mkdir ${extra}/a$$ && echo there; exit 3`;
    const run = (...options: string[]): ReturnType<typeof cli.run> =>
      cli.run(["run", ...options, "--name", "it", "--", "sh", "-c", script], { cwd: workspace, environment });
    expect(await run("--confine")).toMatchObject({ code: 3, stdout: "here\n" });
    expect(await run("--confine-write", extra)).toMatchObject({
      code: 3,
      stdout: "here\nthere\n",
      stderr: "",
    });
    const shown = await cli.run(["show", "it"], { environment });
    expect(shown.stdout).toMatch(
      new RegExp(`confined +may write below ${extra}, ${workspace}, /tmp, /var/tmp\n`),
    );
    expect(await run()).toMatchObject({ code: 3, stdout: "here\nthere\n" });
    expect((await cli.run(["show", "it"], { environment })).stdout).not.toContain("confined");
    const refused = await run("--confine-write", "/");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("INVALID_ARGUMENT") as string });
    // From inside there is no way to the daemon that runs it.
    const inside = await cli.run(["run", "--confine", "--", process.execPath, cliProgram, "ps"], {
      cwd: workspace,
      environment,
    });
    expect(inside).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/This runs confined, in p_\w+: .*\[DAEMON_UNREACHABLE\]/) as string,
    });
  },
);
