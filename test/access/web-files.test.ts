// The pages: served to whoever is signed in, their hashed files to anybody, and kept by browsers as long as they stay the same. The
// dashboard itself is not needed for that: a folder of a few files stands for it, and a runtime of no verbs for the daemon.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { Access, resolveBind } from "../../src/access/index.ts";
import { startNetworkApi } from "../../src/api/start-network-api.ts";
import { ConfigStore } from "../../src/config/index.ts";
import type { Runtime } from "../../src/operations/index.ts";
import { ask, type Answer, type Asked } from "../support/gate-home.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";
import { openTestStore } from "../support/test-store.ts";

const script = `export const big = ${JSON.stringify("x".repeat(2_000))};`;

function makePages(): string {
  const directory = mkdtempSync(join(testDirectory(), "web-"));
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), "<!doctype html><title>Pages</title>");
  writeFileSync(join(directory, "favicon.svg"), "<svg/>");
  writeFileSync(join(directory, "secret.txt"), "not for the web");
  const file = join(directory, "assets/main-abc123.js");
  writeFileSync(file, script);
  writeFileSync(`${file}.br`, brotliCompressSync(script));
  writeFileSync(`${file}.gz`, gzipSync(script));
  return directory;
}

async function serve(webDirectory: string): Promise<(path: string, asked?: Asked) => Promise<Answer>> {
  const config = ConfigStore.open({ home: newTestHome(), environment: {}, watch: false });
  const { store } = await openTestStore();
  const report = (message: string): void => expect.fail(message);
  const access = new Access({
    store,
    config: () => config.current,
    environment: {},
    isInsecure: false,
    onConfigChange: (listener) => config.onChange(listener),
    report,
  });
  const { secret } = await access.credentials.createToken({
    name: "t",
    role: "viewer",
    forMs: null,
    by: "test",
  });
  const api = await startNetworkApi({
    access,
    bind: await resolveBind("127.0.0.1"),
    port: 0,
    certificate: undefined,
    webDirectory,
    runtime: {} as Runtime, // nothing here asks it
    version: "1.2.3",
  });
  onTestFinished(async () => {
    await api.close();
    access.close();
  });
  const authorization = `Bearer ${secret}`;
  return (path, asked = {}) =>
    ask(api.port, path, { ...asked, headers: { authorization, ...asked.headers } });
}

test("every address of a page is the front page; files and programs get no page in disguise", async () => {
  const get = await serve(makePages());
  for (const path of ["/", "/processes", "/processes/p_1?tab=x", "/anything/at/all"]) {
    const answer = await get(path);
    expect(answer, path).toMatchObject({ status: 200, headers: { "cache-control": "no-cache" } });
    expect(answer.text).toContain("<title>Pages</title>");
    expect(answer.headers["content-type"]).toContain("text/html");
    expect(answer.headers["content-security-policy"]).toContain("script-src 'self'");
  }
  for (const path of [
    "/v1/nothing",
    "/assets/none.js",
    "/assets/",
    "/main.js",
    "/secret.txt",
    "/mcp/x",
    "/auth/none",
    "/index.html.gz",
  ])
    expect((await get(path)).status, path).toBe(404);
  for (const path of [
    "/assets/../secret.txt",
    "/assets/%2e%2e/secret.txt",
    "/assets/..%2fsecret.txt",
    "/assets//etc/passwd",
    "/assets/%00",
  ]) {
    const answer = await get(path);
    expect([400, 403, 404], `${path} ${answer.status}`).toContain(answer.status);
    expect(answer.text).not.toContain("not for the web");
  }
  expect((await get("/processes", { method: "POST", body: "{}" })).status).toBe(404);
});

test("files with a digest in their name are kept for ever, compressed as the browser likes, and told by an etag", async () => {
  const get = await serve(makePages());
  const path = "/assets/main-abc123.js";
  const plain = await get(path);
  expect(plain).toMatchObject({ status: 200, text: script });
  expect(plain.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(plain.headers["content-type"]).toContain("javascript");
  expect((await get(path, { headers: { "accept-encoding": "br, gzip" } })).headers["content-encoding"]).toBe(
    "br",
  );
  expect((await get(path, { headers: { "accept-encoding": "gzip" } })).headers["content-encoding"]).toBe(
    "gzip",
  );
  const { etag = "" } = plain.headers;
  expect((await get(path, { headers: { "if-none-match": etag } })).status).toBe(304);
  // Also for who is not signed in: nothing in them is anybody's own.
  expect((await get(path, { headers: { authorization: "" } })).status).toBe(200);
  expect(await get("/favicon.svg", { headers: { authorization: "" } })).toMatchObject({
    status: 200,
    headers: { "content-type": "image/svg+xml", "cache-control": "no-cache" },
  });
  expect((await get("/", { headers: { authorization: "" } })).status).toBe(401);
});

test("pages that are not built yet: whoever is signed in learns what to do, and sees them once they are", async () => {
  const directory = makePages();
  rmSync(directory, { recursive: true });
  const get = await serve(directory);
  const missing = await get("/");
  expect(missing.status).toBe(503);
  expect(missing.text).toContain("npm run build");
  mkdirSync(directory);
  writeFileSync(join(directory, "index.html"), "<title>Built</title>");
  expect((await get("/")).text).toContain("Built");
});
