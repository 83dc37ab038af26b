// Where the dashboard listens, when, and what is refused: never where strangers could come in without being asked who they are.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { hashPassword } from "../../src/util/password-hash.ts";
import { startCli, type CliAnswer } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { runDaemonProgram } from "../support/daemon-program.ts";
import { ask, dashboardPort, openGateHome, recordOf, writeConfig } from "../support/gate-home.ts";
import { killNow, launcherPidOf } from "../support/process-facts.ts";
import { newTestHome } from "../support/test-home.ts";

const users = { ada: { hash: await hashPassword("correct horse"), role: "admin" } };

test.each(["0.0.0.0", "::", "192.0.2.1", "0", "::ffff:0.0.0.0"])(
  "%s without a way to sign in: the daemon does not start, with the code that says: not again",
  async (bind) => {
    const home = newTestHome();
    writeConfig(home, { bind });
    const daemon = runDaemonProgram(home);
    expect(await daemon.outcome).toBe(78);
    expect(daemon.stderr()).toContain("there is no way to sign in");
    expect(daemon.stderr()).toContain("CONFIG_INVALID");
    expect(daemon.stderr()).toContain("--insecure");
  },
);

test("nothing listens before somebody asks for it; then it does, and after a restart while somebody is signed in", async () => {
  const home = newTestHome();
  writeConfig(home, {});
  const daemon = await openDaemonHome({ home });
  await expect(dashboardPort(daemon)).rejects.toThrow("nothing listens");
  const { body } = await daemon.call("dashboard.open");
  const { address, link } = body as { address: string; link: string };
  const port = Number(new URL(address).port);
  expect(await dashboardPort(daemon)).toBe(port);
  // A link nobody has used is no reason to listen.
  await daemon.terminate();
  await daemon.start();
  await expect(dashboardPort(daemon)).rejects.toThrow("nothing listens");
  expect(link).toContain("/enter#");
  await daemon.call("token.create", { name: "a" });
  await daemon.terminate();
  await daemon.start();
  await dashboardPort(daemon);
  const client = await connectedClient({ home });
  expect(await client.config.set({ key: "dashboard.listen", value: "never" })).toMatchObject({
    value: "never",
  });
  await expect.poll(async () => await dashboardPort(daemon).catch(() => "closed")).toBe("closed");
  await expect(client.dashboard.open({})).rejects.toMatchObject({ code: "DASHBOARD_UNAVAILABLE" });
  expect(await recordOf(daemon)).toContainEqual(expect.stringMatching(/^configured allow root/));
});

test("a live change to an exposed address is refused: the old listener stays, and it is told", async () => {
  const gate = await openGateHome();
  const port = await gate.port();
  const cookie = await gate.signIn();
  writeConfig(gate.home, { listen: "always", bind: "0.0.0.0", port: 0 });
  const problems = async (): Promise<string> => {
    const { body } = await gate.call("daemon.status");
    const { state, problems: told } = body as { state: string; problems: string[] };
    return [state, ...told].join("|");
  };
  await expect.poll(problems).toMatch(/^degraded\|dashboard\.bind: 0\.0\.0\.0 can be reached/);
  expect(await gate.port()).toBe(port);
  expect((await gate.ask("/auth/me", { headers: { cookie } })).status).toBe(200);
  const { body } = await gate.call("doctor");
  expect(JSON.stringify(body)).toContain("dashboard.bind: 0.0.0.0");
  // With a way to sign in it is good, at the same port too, and whoever is signed in stays so.
  writeConfig(gate.home, { listen: "always", bind: "0.0.0.0", port, users });
  await expect.poll(problems).toBe("running");
  expect(await gate.port()).toBe(port);
  const outside = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4");
  const address = outside?.address ?? "127.0.0.1";
  const headers = { host: `${address}:${port}`, cookie };
  expect((await ask(port, "/auth/me", { address, headers })).status).toBe(200);
  expect(
    (await ask(port, "/auth/me", { address, headers: { ...headers, host: "evil.example" } })).status,
  ).toBe(403);
  writeConfig(gate.home, { listen: "always", bind: "::1", port });
  await expect.poll(problems).toBe("running");
  await expect
    .poll(async () => (await ask(port, "/healthz", { address: "::1" }).catch(() => undefined))?.status)
    .toBe(200);
  await expect(ask(port, "/healthz")).rejects.toThrow("ECONNREFUSED");
});

test("a port that another has: the daemon runs, degraded, and says so; open tells what to do; it comes when the port is free", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo; // it listens on TCP
  const gate = await openGateHome({ dashboard: { port } });
  const { body } = await gate.call("daemon.status");
  expect(body).toMatchObject({
    state: "degraded",
    problems: [expect.stringContaining(`:${port}`) as string],
  });
  expect((body as { listeners: unknown[] }).listeners).toContainEqual(
    expect.objectContaining({ name: "dashboard", state: "failed", errorCode: "DASHBOARD_UNAVAILABLE" }),
  );
  expect(JSON.stringify((await gate.call("doctor")).body)).toContain("EADDRINUSE");
  const open = (): Promise<CliAnswer> => startCli({ HOLDFAST_HOME: gate.home }, ["open", "--print"]).answer;
  const refused = await open();
  expect(refused).toMatchObject({ code: 3, stdout: "" });
  expect(refused.stderr).toContain("holdfast config set dashboard.port 0");
  taken.close();
  await once(taken, "close");
  expect((await open()).code).toBe(0);
  expect((await gate.call("daemon.status")).body).toMatchObject({ state: "running", problems: [] });
});

test("--insecure lets everybody do everything, says so wherever one looks, and still asks where a page comes from", async () => {
  const home = newTestHome();
  writeConfig(home, { bind: "0.0.0.0" });
  const daemon = runDaemonProgram(home, { args: ["--insecure"] });
  expect(await daemon.outcome).toBe("ready");
  const client = await connectedClient({ home });
  const status = await client.daemon.status({});
  expect(status).toMatchObject({
    state: "degraded",
    problems: [expect.stringContaining("INSECURE") as string],
  });
  expect(daemon.stderr()).toContain("INSECURE");
  const listener = status.listeners.find(({ name }) => name === "dashboard");
  const port = Number(new URL(listener?.address ?? "").port);
  expect((await ask(port, "/auth/me")).json).toMatchObject({ role: "admin", provider: "insecure" });
  const list = { method: "POST", body: "{}" };
  expect((await ask(port, "/v1/process.list", list)).status).toBe(200);
  const evil = { headers: { origin: "https://evil.example" } };
  expect((await ask(port, "/v1/process.list", { ...list, ...evil })).status).toBe(403);
  expect((await ask(port, "/v1/process.list", { ...list, headers: { host: "evil.example" } })).status).toBe(
    403,
  );
  // Nobody knows who it is: so it is not a person either.
  expect((await ask(port, "/v1/dashboard.open", list)).json).toMatchObject({
    error: { code: "PERSON_REQUIRED" },
  });
  await client.process.stop({ all: true, graceMs: 0 });
  await client.daemon.stop({});
  await daemon.exited;
  const launcher = launcherPidOf(home);
  if (launcher !== undefined) await killNow(launcher);
});

test("the variable of its own says the same; a file cannot", async () => {
  const home = newTestHome();
  writeConfig(home, { bind: "0.0.0.0", insecure: true });
  const refused = runDaemonProgram(home);
  expect(await refused.outcome).toBe(78);
  expect(refused.stderr()).toContain("dashboard.insecure");
  writeConfig(home, { bind: "0.0.0.0" });
  const zero = runDaemonProgram(home, { environment: { HOLDFAST_DASHBOARD_INSECURE: "0" } });
  expect(await zero.outcome).toBe(78);
  const daemon = await openDaemonHome({ home, environment: { HOLDFAST_DASHBOARD_INSECURE: "1" } });
  expect((await ask(await dashboardPort(daemon), "/auth/me")).json).toMatchObject({ provider: "insecure" });
});
