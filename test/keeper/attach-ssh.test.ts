// A run on another machine, reached by ssh alone; here the other machine is this one, with an sshd of its own.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { KeptProcess } from "../../src/keeper/index.ts";
import { collectOutput, openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";
import { testDirectory } from "../support/test-home.ts";

let server: ChildProcess;
let sshArguments: string[] = [];

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false; // refused: not yet
  } finally {
    socket.destroy();
  }
}

beforeAll(async () => {
  const folder = join(testDirectory(), "ssh");
  mkdirSync(folder, { mode: 0o700 });
  for (const name of ["host", "user"])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, name)]);
  copyFileSync(join(folder, "user.pub"), join(folder, "authorized"));
  chmodSync(join(folder, "authorized"), 0o600);
  const port = await freePort();
  const config = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${folder}/host`,
    `AuthorizedKeysFile ${folder}/authorized`,
    `PidFile ${folder}/pid`,
    "UsePAM no",
    "PasswordAuthentication no",
    "StrictModes no",
    "MaxSessions 100",
    "MaxStartups 100",
  ];
  writeFileSync(join(folder, "config"), `${config.join("\n")}\n`);
  // Where sshd separates privileges; the package's own service makes it, but that service does not run here.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
  server = spawn("/usr/sbin/sshd", ["-D", "-f", join(folder, "config"), "-E", join(folder, "log")], {
    stdio: "ignore",
  });
  await vi.waitUntil(() => isListening(port), { timeout: 10_000 });
  const options = [
    "BatchMode=yes",
    "StrictHostKeyChecking=no",
    `UserKnownHostsFile=${folder}/known`,
    "LogLevel=ERROR",
    "ControlMaster=no",
  ];
  sshArguments = ["-F", "none", "-i", join(folder, "user"), "-p", String(port)];
  for (const option of options) sshArguments.push("-o", option);
  sshArguments.push(`${userInfo().username}@127.0.0.1`);
});

afterAll(async () => {
  const ended = once(server, "exit");
  server.kill("SIGTERM");
  await ended;
});

interface RemoteRun {
  readonly kept: KeptProcess;
  /** Kills every ssh client of it; how many there were. */
  readonly cut: () => number;
}

function throughSsh(keeper: KeeperHome, id: string): RemoteRun {
  const clients = new Set<ChildProcess>();
  const command = `exec '${keeper.binary}' attach '${keeper.directory(id)}'`;
  const open = (): Promise<Duplex> => {
    const client = spawn("ssh", [...sshArguments, command], { stdio: ["pipe", "pipe", "inherit"] });
    clients.add(client);
    const stream = Duplex.from({ readable: client.stdout, writable: client.stdin });
    client.once("exit", () => {
      clients.delete(client);
      client.stdin.destroy();
    });
    stream.once("close", () => client.kill("SIGKILL"));
    return Promise.resolve(stream);
  };
  const cut = (): number => [...clients].filter((client) => client.kill("SIGKILL")).length;
  return { kept: new KeptProcess({ connect: open }), cut };
}

test("a live run over ssh, and the same run when it has ended and nobody keeps it", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("echo ready; cat; exit 9", { stdin: "open" });
  const { kept } = throughSsh(keeper, run.id);
  await outputContains(kept, "ready");
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
  await kept.write(everyByte);
  await kept.closeStdin();
  expect((await kept.wait()).exit).toEqual({ kind: "exited", code: 9 });
  kept.close();
  await expect.poll(() => keeper.launcher.status()).toMatchObject({ held: 0 });
  const later = throughSsh(keeper, run.id);
  expect(await later.kept.state()).toMatchObject({ state: "ended", isOutputClosed: true });
  const output = await collectOutput(later.kept, { from: "ready\n".length });
  expect(output.equals(everyByte)).toBe(true);
  later.kept.close();
});

test("a link that is cut in the middle of output and stdin loses nothing and doubles nothing", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  const { kept, cut } = throughSsh(keeper, run.id);
  const bytes = randomBytes(6_000_000);
  const received: Buffer[] = [];
  let receivedBytes = 0;
  let cuts = 0;
  const following = (async () => {
    for await (const event of kept.output({ follow: true })) {
      if (event.kind !== "data") continue;
      expect(event.offset).toBe(receivedBytes);
      received.push(event.bytes);
      receivedBytes += event.bytes.length;
      // Both links, the one that writes and the one that reads, while both are busy.
      if (receivedBytes < bytes.length && receivedBytes > (cuts + 1) * 900_000) cuts += cut() > 0 ? 1 : 0;
    }
  })();
  await kept.write(bytes);
  await kept.closeStdin();
  await following;
  expect(cuts).toBeGreaterThanOrEqual(4);
  expect(receivedBytes).toBe(bytes.length);
  expect(Buffer.concat(received).equals(bytes)).toBe(true);
  expect(await run.ended).toMatchObject({ exit: { kind: "exited", code: 0 }, outputBytes: bytes.length });
  kept.close();
});

test("cutting the link ends nothing on the other side", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], mode: "pty" });
  const { kept, cut } = throughSsh(keeper, run.id);
  await kept.write("before\n");
  await outputContains(kept, "before\r\nbefore\r\n");
  expect(cut()).toBeGreaterThan(0);
  await kept.write("after\n");
  await outputContains(kept, "after\r\nafter\r\n");
  // The link may have gone once more before the answer: then the second ask finds it ended, by the first.
  expect((await kept.stop()).outcome).toBeOneOf(["ended", "had_ended"]);
  expect(await run.ended).toMatchObject({ exit: { kind: "signaled" }, stopReason: "user" });
  kept.close();
});
