// A home with processes that are worth looking at: a small project, people's and agents' work in it, some of it waiting, some of it failed.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connect, type Client } from "../../src/sdk/index.ts";
import { hashPassword } from "../../src/util/password-hash.ts";

// The same each time: paths are to be seen on the pictures.
const root = join(tmpdir(), "tour");
const home = join(root, ".holdfast");
const shop = join(root, "shop");
const program = join(import.meta.dirname, "../../src/daemon/main.ts");

export interface Tour {
  readonly client: Client;
  /** Ids by name. */
  readonly ids: Readonly<Record<"web" | "tests" | "migrate" | "shell", string>>;
  readonly close: () => Promise<void>;
}

async function startDaemon(): Promise<ChildProcess> {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(home, { recursive: true, mode: 0o700 });
  cpSync(join(import.meta.dirname, "shop"), shop, { recursive: true });
  const path = `${dirname(process.execPath)}:${process.env["PATH"] ?? "/usr/bin:/bin"}`;
  const child = spawn(process.execPath, [program], {
    env: { PATH: path, HOME: root, HOLDFAST_HOME: home, SHELL: "/bin/bash" },
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = (await Promise.race([once(child.stdout, "data"), once(child, "exit")])) as [unknown];
  if (!Buffer.isBuffer(said)) throw new Error(`the daemon ended with ${String(said)}`);
  return child;
}

async function closeAll(client: Client, daemon: ChildProcess): Promise<void> {
  await client.process.stop({ all: true, graceMs: 0 });
  client.close();
  daemon.kill("SIGTERM");
  await once(daemon, "exit");
  const lock = readFileSync(join(home, "launcher.lock"), "utf8");
  process.kill(Number(/^pid (\d+)$/m.exec(lock)?.[1]), "SIGTERM");
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

type StartInput = Parameters<Client["process"]["start"]>[0];

async function startAll(client: Client): Promise<Tour["ids"]> {
  const start = async (name: string, command: StartInput["command"], more: Partial<StartInput> = {}) =>
    (await client.process.start({ name, command, cwd: shop, ...more })).id;
  const agent = { owner: { session: "claude-7" } };
  const other = { owner: { session: "codex-2", task: "T-41" } };
  const web = await start("web", "npm run dev", {
    labels: { tier: "front" },
    watches: [{ kind: "text", text: "ERROR", from: "start" }],
  });
  await start("import", "npm run import", { ...other, notify: "end" });
  await start("stock-sync", 'while sleep 2; do echo "$(date +%T) 214 articles in stock"; done', agent);
  const tests = await start("tests", "npm test", { ...agent, notify: "end" });
  await start("lint", "echo '0 problems in 148 files'", agent);
  await start("backup", "echo 'dumping shop_staging'; exec sleep 600", {
    limits: { wallMs: 1_000 },
    notify: "end",
  });
  await start("typecheck", "echo 'no errors'", other);
  await start("deploy-preview", "echo 'uploading 212 files'; kill -SEGV $$", { ...other, notify: "end" });
  const migrate = await start("migrate", "npm run migrate", {
    ...other,
    mode: "pty",
    watches: [{ kind: "input" }],
  });
  await client.process.wait({ ids: [tests] });
  return { web, tests, migrate, shell: await openShell(client) };
}

async function openShell(client: Client): Promise<string> {
  const { process: shell } = await client.terminal.open({ key: "tour", cwd: shop, shell: "/bin/bash" });
  const { id } = shell;
  const type = (text: string) => client.process.write({ id, parts: [{ text: `${text}\n` }] });
  await type(String.raw`PS1='\[\e[36m\]\W\[\e[0m\] $ '; clear`);
  await type("ls --color");
  await type("npm test");
  await client.process.wait({ ids: [id], for: { kind: "match", text: "Duration" }, timeoutMs: 20_000 });
  return id;
}

/** A command of an agent that a person is asked about. */
async function askForApproval(client: Client): Promise<void> {
  const rules = [{ name: "deleting", command: "rm ...", decision: "ask", reason: "it deletes files" }];
  await client.config.set({ key: "policy.profiles", value: { default: { rules } } });
  const asked = client.process.start({ command: "rm -rf dist", cwd: shop, owner: { session: "claude-7" } });
  // Nobody answers; the daemon goes first.
  asked.catch(() => undefined);
}

/** So that the page to sign in has something to ask for. */
async function addPassword(client: Client): Promise<void> {
  const hash = await hashPassword("correct horse battery");
  await client.config.set({ key: "dashboard.users", value: { ada: { hash, role: "operator" } } });
}

export async function openTour(): Promise<Tour> {
  const daemon = await startDaemon();
  const client = await connect({ home });
  const ids = await startAll(client);
  await addPassword(client);
  await askForApproval(client);
  return { client, ids, close: () => closeAll(client, daemon) };
}
