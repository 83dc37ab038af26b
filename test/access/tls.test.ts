// HTTPS with a given certificate: renewed while the daemon runs, and kept when the new files are no use.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { once } from "node:events";
import { expect, test } from "vitest";
import { ask, cookieOf, openGateHome, writeConfig } from "../support/gate-home.ts";
import { testDirectory } from "../support/test-home.ts";

interface Files {
  readonly certificateFile: string;
  readonly keyFile: string;
}

function makeCertificate(name: string): Files {
  const directory = join(testDirectory(), `tls-${name}`);
  mkdirSync(directory);
  const files = { certificateFile: join(directory, "cert.pem"), keyFile: join(directory, "key.pem") };
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-days",
      "2",
      "-subj",
      `/CN=${name}`,
      "-addext",
      "subjectAltName=DNS:localhost,IP:127.0.0.1",
      "-keyout",
      files.keyFile,
      "-out",
      files.certificateFile,
    ],
    { stdio: "ignore" },
  );
  return files;
}

async function servedName(port: number): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

function replace(to: Files, from: Files): void {
  for (const key of ["keyFile", "certificateFile"] as const) {
    writeFileSync(`${to[key]}.new`, readFileSync(from[key]));
    renameSync(`${to[key]}.new`, to[key]);
  }
}

test("HTTPS with a certificate that is renewed in place; a bad one is told, and the old one stays", async () => {
  const first = makeCertificate("first");
  const gate = await openGateHome({ dashboard: { tls: first } });
  const port = await gate.port();
  const ca = readFileSync(first.certificateFile, "utf8");
  const body = JSON.stringify({ token: await gate.link() });
  const headers = { host: `localhost:${port}`, origin: `https://localhost:${port}` };
  const signedIn = await ask(port, "/auth/exchange", { ca, method: "POST", headers, body });
  expect(signedIn.headers["set-cookie"]?.[0]).toMatch(
    /^__Host-holdfast-session-\d+=[\w-]+; Path=\/; .*; Secure$/,
  );
  const cookie = cookieOf(signedIn);
  expect((await ask(port, "/auth/me", { ca, headers: { cookie } })).status).toBe(200);
  // Nothing is said to who speaks plainly, and a page that came plainly is another site.
  await expect(ask(port, "/healthz")).rejects.toThrow(/ECONNRESET|hang up|EPIPE/);
  const plain = { ...headers, cookie, origin: `http://localhost:${port}` };
  expect((await ask(port, "/auth/ticket", { ca, method: "POST", headers: plain, body: "{}" })).status).toBe(
    403,
  );

  replace(first, makeCertificate("second"));
  await expect.poll(() => servedName(port), { timeout: 15_000 }).toBe("second");
  const problems = async (): Promise<string> =>
    (((await gate.call("daemon.status")).body as { problems: string[] }).problems ?? []).join("|");
  writeFileSync(first.certificateFile, "no certificate");
  await expect.poll(problems, { timeout: 15_000 }).toContain("dashboard.tls:");
  expect(await servedName(port)).toBe("second");
  replace(first, makeCertificate("third"));
  await expect.poll(problems, { timeout: 15_000 }).toBe("");
  expect(await servedName(port)).toBe("third");

  // Files that are not there: what listens goes on listening.
  const missing = { certificateFile: "/nowhere/cert.pem", keyFile: "/nowhere/key.pem" };
  writeConfig(gate.home, { listen: "always", port, tls: missing });
  await expect.poll(problems).toContain("/nowhere/cert.pem");
  expect(await servedName(port)).toBe("third");
});
