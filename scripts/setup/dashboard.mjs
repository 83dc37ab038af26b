// Builds the dashboard into dist/web when its sources are newer than what is there. A build takes about a second.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { repository } from "./run.mjs";

/** What goes into the build; the client and the protocol are shared with the daemon. */
const sources = ["web", "src/client", "src/protocol", "package-lock.json", "scripts/setup/dashboard.mjs"];

/**
 * @param {string} path
 * @returns {number} the newest change below it, in milliseconds since 1970
 */
function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const entries = readdirSync(path).filter((name) => name !== "node_modules");
  // The directory itself too: a file that was removed leaves its mark there.
  return Math.max(found.mtimeMs, ...entries.map((name) => newest(join(path, name))));
}

export function isDashboardStale() {
  try {
    const built = statSync(join(repository, "dist/web/index.html")).mtimeMs;
    return sources.some((path) => newest(join(repository, path)) > built);
  } catch {
    return true; // Never built.
  }
}

export async function ensureDashboard() {
  if (!isDashboardStale()) return;
  const { build } = await import("vite");
  const { NODE_ENV } = process.env;
  // Whoever asks: tests have another one, and would leave a development build of twice the size behind for everybody.
  process.env["NODE_ENV"] = "production";
  try {
    await build({ configFile: join(repository, "web/vite.config.ts"), logLevel: "warn" });
  } finally {
    if (NODE_ENV === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = NODE_ENV;
  }
  compress(join(repository, "dist/web/assets"));
}

// Below this a header costs more than it saves.
const leastBytes = 1_000;

/**
 * Once here instead of with every answer.
 * @param {string} directory
 */
function compress(directory) {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const content = readFileSync(path);
    if (!/\.(?:js|css)$/.test(name) || content.length < leastBytes) continue;
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
  }
}
