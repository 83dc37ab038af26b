// A confined start through the daemon: what the process may and may not, what is told of it, and that it stays so.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ownRuntimeDirectory, linesOf, placeOutside, runScript } from "../support/confined-daemon.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { canConfine } from "../support/confined-runs.ts";
import { ask, refused } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { launcherPidOf } from "../support/process-facts.ts";
import { openShellHome } from "../support/shell-session.ts";
import { canMount } from "../support/small-disk.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";

const nobody = 65_534;

/** Everything by which it could reach Holdfast. */
function reachScript(home: string, daemonPid: number): string {
  return `exec 2>/dev/null
    for path in ${home}/daemon.sock ${home}/launcher.sock "$HOLDFAST_RUN/sock" /proc/self/root${home}/daemon.sock; do $ATTEMPT connect $path; done
    $ATTEMPT connect /proc/${daemonPid}/root${home}/daemon.sock; $ATTEMPT connect /proc/${daemonPid}/cwd/daemon.sock
    for what in kill limit trace take; do $ATTEMPT $what ${daemonPid}; done; $ATTEMPT read ${home}/holdfast.db`;
}
const reached = [
  ...Array.from({ length: 4 }, () => "connect ENOENT"),
  ...Array.from({ length: 2 }, () => "connect EACCES"),
  "kill EPERM",
  "limit EPERM",
  "trace EPERM",
  "take EPERM",
  "read ENOENT",
];

test.runIf(canConfine)(
  "it writes in its directory and in temporary ones, and does not reach the daemon",
  async () => {
    const daemon = await openDaemonHome({ environment: ownRuntimeDirectory() });
    const [workspace, outside] = [placeOutside(), placeOutside()];
    symlinkSync(outside, join(workspace, "link"));
    const temporary = join(newTestHome(), "file");
    const script = `${reachScript(daemon.home, daemon.pid())}
    for path in ${workspace}/a ${temporary} ${outside}/a link/a /dev/shm/a; do $ATTEMPT create $path; done; $ATTEMPT terminal`;
    const { started, lines } = await runScript(daemon, script, { cwd: workspace, confine: true });
    expect(lines).toEqual([
      ...reached,
      "create ok",
      "create ok",
      "create EROFS",
      "create EROFS",
      "create ok", // of its own
      "terminal ok",
    ]);
    expect(existsSync("/dev/shm/a")).toBe(false);
    expect(started.confined).toBe(true);
    expect(started.notes).toContainEqual(
      expect.stringMatching(new RegExp(`^Confined: it may write only below ${workspace}, /tmp, /var/tmp`)),
    );
    const detail = await ask(daemon, "process.get", { id: started.id });
    expect(detail.confinement?.write).toEqual(expect.arrayContaining([workspace, "/tmp", "/dev/null"]));
    expect(detail.confinement?.hide).toContain(realpathSync(daemon.home));
    expect(detail.confinement?.show).toEqual([]);

    // The same without: it does.
    const plain = await runScript(
      daemon,
      `$ATTEMPT create ${outside}/a; $ATTEMPT connect ${daemon.socketPath}`,
      {},
    );
    expect(plain.lines).toEqual(["create ok", "connect ok"]);
    expect(plain.started.confined).toBe(false);
    expect(await ask(daemon, "process.get", { id: plain.started.id })).toMatchObject({ confinement: null });
    const { checks } = await ask(daemon, "doctor", {});
    expect(checks).toContainEqual({
      name: "confinement",
      result: "ok",
      message: "Commands can be confined.",
    });
  },
);

test.runIf(canConfine && canMount)("a daemon of a user without privileges confines as well", async () => {
  const home = join(newTestHome(), "home");
  const runtime = join(home, "../run");
  for (const path of [home, runtime]) mkdirSync(path, { mode: 0o700 });
  for (const path of [testDirectory(), join(home, "..")]) chmodSync(path, 0o755);
  for (const path of [home, runtime]) chownSync(path, nobody, nobody);
  const through = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];
  const daemon = await openDaemonHome({
    home,
    through,
    environment: { XDG_RUNTIME_DIR: runtime, HOME: home },
  });
  const [workspace, outside] = [placeOutside(nobody), placeOutside(nobody)];
  const script = `${reachScript(home, daemon.pid())}
    for path in ${workspace}/a ${outside}/a; do $ATTEMPT create $path; done; id -u; grep -c 'CapEff:.0000000000000000' /proc/self/status`;
  const { lines } = await runScript(daemon, script, { cwd: workspace, confine: true });
  expect(lines).toEqual([...reached, "create ok", "create EROFS", String(nobody), "1"]);
  const plain = await runScript(daemon, `$ATTEMPT create ${outside}/a`, { cwd: workspace });
  expect(plain.lines).toEqual(["create ok"]);
});

test.runIf(canConfine && canMount)(
  "another mount of the home's file system does not show its sockets",
  async () => {
    const home = newTestHome();
    const elsewhere = newTestHome();
    execFileSync("mount", ["--bind", testDirectory(), elsewhere]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", elsewhere]));
    const daemon = await openDaemonHome({ home, environment: ownRuntimeDirectory() });
    const other = home.replace(testDirectory(), elsewhere);
    const script = `$ATTEMPT connect ${other}/daemon.sock; $ATTEMPT read ${other}`;
    expect((await runScript(daemon, script, {})).lines).toEqual(["connect ok", "read ok"]);
    expect((await runScript(daemon, script, { confine: true })).lines).toEqual(["connect ENOENT", "read ok"]);
  },
);

test.runIf(canConfine)(
  "it stays confined when daemon and launcher are killed and the sockets are made anew",
  async () => {
    const daemon = await openDaemonHome({ environment: ownRuntimeDirectory() });
    const { home } = daemon;
    const outside = placeOutside();
    const attempt = compileFixture("attempt");
    const sockets = [`${home}/daemon.sock`, `${home}/launcher.sock`, '"$HOLDFAST_RUN/sock"'];
    const tries = [
      ...sockets.map((path) => `${attempt} connect ${path}`),
      `${attempt} create ${outside}/x`,
    ].join("; ");
    const started = await ask(daemon, "process.start", {
      command: ["/bin/sh", "-c", `while read line; do echo "$line"; ${tries}; done; exit 5`],
      mode: "merged",
      stdin: "open",
      cwd: placeOutside(),
      confine: true,
    });
    const told = (): Promise<string[]> =>
      ask(daemon, "process.output", { id: started.id, format: "text" }).then(({ text }) =>
        (text ?? "").split("\n").filter((line) => line !== ""),
      );
    const refusals = ["connect ENOENT", "connect ENOENT", "connect ENOENT", "create EROFS"];
    const writer = { id: "0123456789abcdef", sequence: 0 };
    const ask1 = await ask(daemon, "process.write", { id: started.id, parts: [{ text: "one\n" }], writer });
    expect(ask1).toBeDefined();
    await expect.poll(told, { timeout: 10_000 }).toEqual(["one", ...refusals]);

    await daemon.kill();
    process.kill(launcherPidOf(home) ?? 0, "SIGKILL");
    rmSync(join(home, "holdfast.db"));
    for (const name of readdirSync(home)) if (name.startsWith("holdfast.db")) rmSync(join(home, name));
    await daemon.start();
    // Made again from its directory, the database being gone.
    expect(await ask(daemon, "process.get", { id: started.id })).toMatchObject({
      confined: true,
      state: "running",
    });
    await ask(daemon, "process.write", {
      id: started.id,
      parts: [{ text: "two\n" }],
      writer: { id: "fedcba9876543210", sequence: 0 },
    });
    await expect.poll(told, { timeout: 10_000 }).toEqual(["one", ...refusals, "two", ...refusals]);
    await ask(daemon, "process.close-stdin", { id: started.id });
    await linesOf(daemon, started.id);
    expect(await ask(daemon, "process.get", { id: started.id })).toMatchObject({
      exit: { kind: "exited", code: 5 },
    });
  },
);

test.runIf(canConfine)(
  "commands of a shell session remember, and see nothing that others remember",
  async () => {
    const { run, memory } = await openShellHome({ environment: {} });
    const workspace = placeOutside();
    for (const shell of ["/bin/bash", "/bin/dash"]) {
      const session = `of ${shell}`;
      await run(shell, "secret one", "export SECRET=hidden-value");
      const first = await run(shell, session, "mkdir -p sub; cd sub; export KEPT=yes", {
        cwd: workspace,
        confine: true,
      });
      expect(first.code).toBe(0);
      const script = `echo "$KEPT $PWD"; grep -rs hidden-value ${memory}; find ${memory} -type f | wc -l; touch ${memory}/x; ls ${memory}`;
      const second = await run(shell, session, script, { confine: true });
      const lines = second.output.split("\n").filter((line) => line !== "");
      // Its own preludes and the file for its own end; around them a shared memory of its own.
      expect(lines).toEqual([
        `yes ${workspace}/sub`,
        expect.stringMatching(/^[23]$/),
        `holdfast-${process.getuid?.()}`,
        "x",
      ]);
      expect(existsSync(join(memory, "x"))).toBe(false);
    }
  },
);

test.runIf(canConfine)(
  "what may be written is named, must be there, and is never Holdfast's own",
  async () => {
    const userHome = placeOutside();
    const daemon = await openDaemonHome({ environment: { ...ownRuntimeDirectory(), HOME: userHome } });
    const [workspace, extra] = [placeOutside(), placeOutside()];
    const script = `for path in ${workspace} ${extra} ${userHome}; do $ATTEMPT mkdir $path/$$; done`;
    const more = await runScript(daemon, script, { cwd: workspace, confine: { write: [extra] } });
    expect(more.lines).toEqual(["mkdir ok", "mkdir ok", "mkdir EROFS"]);

    const atHome = await runScript(daemon, script, { cwd: userHome, confine: true });
    expect(atHome.lines).toEqual(["mkdir EROFS", "mkdir EROFS", "mkdir EROFS"]);
    expect(atHome.started.notes).toContainEqual(
      expect.stringContaining(`${userHome} is not writable for it`),
    );

    const bad = {
      "/": "everything",
      [`${extra}/none`]: "not there",
      [daemon.home]: "Holdfast's own",
      [`${daemon.home}/runs`]: "own",
    };
    for (const [path, words] of Object.entries(bad)) {
      const error = await refused(daemon, "process.start", {
        command: ["/bin/true"],
        confine: { write: [path] },
      });
      expect(error, path).toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining(words) as string,
      });
    }
    const relative = await refused(daemon, "process.start", {
      command: ["/bin/true"],
      confine: { write: ["a"] },
    });
    expect(relative.code).toBe("INVALID_ARGUMENT");
    // Entering a hidden directory does not show it.
    const inside = await ask(daemon, "process.start", {
      command: ["/bin/true"],
      cwd: join(daemon.home, "runs"),
      confine: true,
    });
    expect(inside.exit).toMatchObject({ kind: "spawn_failed", stage: "cwd" });
  },
);
