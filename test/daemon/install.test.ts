// The unit file: where it goes, whose it is, and what two independent readers make of it. No service manager is needed to write one.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bodyOf, markerText } from "../../src/supervision/marker.ts";
import { openCliHome, type CliAnswer } from "../support/cli-home.ts";
import { packageDirectory } from "../support/programs.ts";
import { newTestHome } from "../support/test-home.ts";

// Nobody's: nothing is written there, and no daemon is started. It only must not lie in a temporary directory.
const person = "/srv/holdfast-test-nobody";
const ownHome = `${person}/.holdfast`;

// Of whoever runs the tests.
const { username } = userInfo();
const lingers = existsSync(`/var/lib/systemd/linger/${username}`);

interface Place {
  /** Where the units of the person go. */
  readonly folder: string;
  /** Of the default home. */
  readonly file: string;
  readonly say: (args: readonly string[], home?: string) => Promise<CliAnswer>;
  readonly install: (...args: readonly string[]) => Promise<CliAnswer>;
  readonly uninstall: (...args: readonly string[]) => Promise<CliAnswer>;
}

function openPlace(): Place {
  const directory = newTestHome();
  const cli = openCliHome();
  const environment = {
    HOME: person,
    XDG_CONFIG_HOME: join(directory, "config"),
    XDG_RUNTIME_DIR: join(directory, "none"), // no service manager of the machine is asked
  };
  const say = (args: readonly string[], home = ownHome): Promise<CliAnswer> =>
    cli.run(["daemon", ...args], { environment: { ...environment, HOLDFAST_HOME: home } });
  const folder = join(directory, "config/systemd/user");
  return {
    folder,
    file: join(folder, "holdfast.service"),
    say,
    install: (...args) => say(["install", ...args]),
    uninstall: (...args) => say(["uninstall", ...args]),
  };
}

function jsonOf({ stdout, stderr }: CliAnswer): Record<string, unknown> {
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Record<string, unknown>;
}

test("writes the unit and tells the next commands; a second time there is nothing to do", async () => {
  const { folder, file, install } = openPlace();
  const first = await install();
  expect(first, first.stderr).toMatchObject({ code: 0 });
  expect(first.stdout).toBe(
    `Wrote ${file}
No systemd runs here that would read it. When one does:
  systemctl --user daemon-reload
  systemctl --user enable --now holdfast.service
${lingers ? "" : `  loginctl enable-linger ${username}\n`}`,
  );
  expect(statSync(file).mode & 0o777).toBe(0o644);
  expect(readdirSync(folder)).toEqual(["holdfast.service"]);
  expect(readFileSync(file, "utf8")).toContain(`Environment=HOLDFAST_HOME=${ownHome}\n`);
  expect(jsonOf(await install("--json"))).toEqual({
    action: "unchanged",
    previous: "current",
    manager: "systemd",
    scope: "user",
    name: "holdfast",
    file,
    home: ownHome,
    managerRunning: false,
    started: false,
  });
});

test("--print and --dry-run write nothing; --now says what is missing, after the file is in place", async () => {
  const { folder, file, install } = openPlace();
  expect((await install("--print")).stdout).toMatch(/^# By .*\n# holdfast-unit .*\n\n\[Unit\]\n/);
  expect((await install("--dry-run")).stdout).toContain(`Would write ${file}\n`);
  expect(existsSync(folder)).toBe(false);
  const now = await install("--now");
  expect(now).toMatchObject({ code: 3, stdout: "" });
  expect(now.stderr).toContain("[SERVICE_MANAGER_FAILED]\nWhen one does: systemctl --user daemon-reload; ");
  expect(existsSync(file)).toBe(true);
});

test("a home in a temporary directory is refused, and written only by force", async () => {
  const { folder, say } = openPlace();
  const home = newTestHome();
  const refused = await say(["install"], home);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain(`The home, ${home}, lies in `);
  expect(existsSync(folder)).toBe(false);
  expect(await say(["install", "--force"], home)).toMatchObject({ code: 0 });
  expect(readdirSync(folder)).toHaveLength(1);
});

test.runIf(process.getuid?.() === 0)("root is told whose unit it is", async () => {
  const { install } = openPlace();
  expect((await install()).stderr).toMatch(/root's own service manager.*add --system/);
});

test("two homes live side by side, and each is taken away alone", async () => {
  const { folder, file, say, install, uninstall } = openPlace();
  await install();
  const { name } = jsonOf(await say(["install", "--json"], "/srv/holdfast-test-nobody/work/agents"));
  expect(name).toMatch(/^holdfast-agents-[0-9a-f]{8}$/);
  expect(readdirSync(folder).toSorted()).toEqual([`${String(name)}.service`, "holdfast.service"]);
  expect((await uninstall("--dry-run")).stdout).toBe(`Would remove ${file}\n`);
  expect((await uninstall()).stdout).toBe(
    `Removed ${file}. What runs goes on; the next command starts a daemon for it.\n`,
  );
  expect(readdirSync(folder)).toEqual([`${String(name)}.service`]);
  expect(await uninstall()).toMatchObject({
    code: 0,
    stdout: `There is no unit for ${ownHome}: ${file} does not exist.\n`,
  });
});

/** As an earlier release would have written it. */
function writeEarlier(file: string, home: string): void {
  const body = bodyOf(readFileSync(file, "utf8"))
    .replace("KillMode=process", "KillMode=mixed")
    .replace(/OOMPolicy=.*\n/, "");
  writeFileSync(file, `# ${markerText({ version: "0.0.9", home, body })}\n${body}`);
}

test("an outdated unit is replaced, and told", async () => {
  const { file, install } = openPlace();
  await install();
  const current = readFileSync(file, "utf8");
  writeEarlier(file, ownHome);
  const answer = await install();
  expect(answer.stdout).toContain(`Replaced ${file}: it was outdated (KillMode, OOMPolicy).\n`);
  expect(answer.stdout).toContain("  systemctl --user restart holdfast.service\n");
  expect(readFileSync(file, "utf8")).toBe(current);
});

test("a system unit runs as the user who is named, from another root when asked", async () => {
  const { say } = openPlace();
  const root = newTestHome();
  mkdirSync(join(root, "etc"));
  writeFileSync(
    join(root, "etc/passwd"),
    "root:x:0:0::/root-of-image:/bin/sh\nagent:x:990:990::/srv/agent:/bin/sh\n",
  );
  const answer = await say(["install", "--system", "--user", "agent", "--root", root, "--json"], "");
  const file = join(root, "etc/systemd/system/holdfast-agent.service");
  expect(jsonOf(answer)).toMatchObject({ name: "holdfast-agent", file, home: "/srv/agent/.holdfast" });
  const text = readFileSync(file, "utf8");
  expect(text).toContain("\nUser=agent\n");
  expect(text).toContain("\nRequiresMountsFor=/srv/agent/.holdfast\n");
  expect(text).toContain("\nWantedBy=multi-user.target\n");
  const unknown = await say(["install", "--system", "--user", "nobody-here", "--root", root]);
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
});

// Every character that means something to systemd or to XML, in one path.
const oddHome = `/srv/holdfast-test-nobody/a "b" %h $HOME \\x <&> --`;

test.for(["user", "system"])("systemd-analyze finds nothing wrong with a %s unit", async (scope) => {
  const { say } = openPlace();
  const options = scope === "system" ? ["--system", "--user", "root"] : [];
  for (const home of [ownHome, oddHome]) {
    const { stdout } = await say(["install", "--print", ...options], home);
    const file = join(newTestHome(), "holdfast-printed.service");
    writeFileSync(file, stdout);
    const verify = promisify(execFile)("systemd-analyze", ["verify", `--${scope}`, "--man=no", file], {
      env: { ...process.env, XDG_RUNTIME_DIR: newTestHome() },
    });
    expect(await verify).toEqual({ stdout: "", stderr: "" });
  }
});

test("the launchd file is what a reader of property lists makes of it", async () => {
  const { say } = openPlace();
  const { stdout } = await say(["install", "--manager", "launchd", "--print"], oddHome);
  const script = "import json,plistlib,sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
  const reader = promisify(execFile)("python3", ["-c", script]);
  reader.child.stdin?.end(stdout);
  expect(JSON.parse((await reader).stdout)).toEqual({
    Label: expect.stringMatching(/^holdfast-[\w-]+-[0-9a-f]{8}$/) as string,
    ProgramArguments: [process.execPath, join(packageDirectory, "bin/holdfast"), "daemon", "run"],
    EnvironmentVariables: { HOLDFAST_HOME: oddHome },
    WorkingDirectory: "/",
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: 10,
    AbandonProcessGroup: true,
    ExitTimeOut: 60,
    ProcessType: "Interactive",
    SoftResourceLimits: { NumberOfFiles: 524_288 },
    StandardErrorPath: `${oddHome}/launchd.log`,
  });
});

test("what cannot be written is told with the next step", async () => {
  const { say } = openPlace();
  const root = join(newTestHome(), "file");
  writeFileSync(root, "");
  const answer = await say(["install", "--system", "--root", root]);
  expect(answer).toMatchObject({ code: 70, stdout: "" });
  expect(answer.stderr).toMatch(/holdfast\S*\.service cannot be written: .*\[SYSTEM_ERROR\]\n/);
});
