import { linkSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configTable } from "./keys.ts";
import { loadConfig } from "./load-config.ts";
import { findProjectFile, isTrustedOwner } from "./project.ts";

interface Place {
  readonly home: string;
  readonly project: string;
}

function newPlace(files: { readonly home?: string; readonly project?: string } = {}): Place {
  const root = mkdtempSync(join(homedir(), "load-"));
  const place = { home: join(root, "home"), project: join(root, "project") };
  mkdirSync(place.home);
  mkdirSync(join(place.project, "deep/below"), { recursive: true });
  if (files.home !== undefined) writeFileSync(join(place.home, "holdfast.yaml"), files.home);
  if (files.project !== undefined) writeFileSync(join(place.project, "holdfast.yaml"), files.project);
  return place;
}

describe("precedence", () => {
  const sources = ["environment", "project", "home"] as const;
  const columns = { environment: 102, project: 103, home: 104, default: 80 };
  // Every subset of the three sources that can be silent.
  const subsets = Array.from({ length: 2 ** sources.length }, (_, bits) =>
    sources.filter((__, index) => (bits >> index) & 1),
  );

  test.each(subsets.map((given) => ({ given, title: given.join(" + ") || "nothing" })))(
    "$title",
    ({ given }) => {
      const yaml = (source: "project" | "home") =>
        given.includes(source) ? `# one\nterminal:\n  columns: ${columns[source]}\n` : "";
      const place = newPlace({ home: yaml("home"), project: yaml("project") });
      const loaded = loadConfig({
        home: place.home,
        projectFile: join(place.project, "holdfast.yaml"),
        environment: given.includes("environment") ? { HOLDFAST_TERMINAL_COLUMNS: "102" } : {},
      });
      const order = [...given, "default" as const];
      const places = {
        environment: "HOLDFAST_TERMINAL_COLUMNS",
        project: `${place.project}/holdfast.yaml:3`,
        home: `${place.home}/holdfast.yaml:3`,
        default: "default",
      };
      expect(loaded.problems).toEqual([]);
      expect(loaded.resolved?.config.terminal).toMatchObject({
        columns: columns[order[0] ?? "default"],
        rows: 24,
      });
      const explanation = loaded.resolved?.explanations.get("terminal.columns");
      expect(explanation).toMatchObject({
        source: order[0],
        place: places[order[0] ?? "default"],
        default: 80,
      });
      expect(explanation?.candidates).toEqual(
        order.map((source) => ({ source, value: columns[source], place: places[source] })),
      );
    },
  );

  test("is decided key by key", () => {
    const place = newPlace({
      home: "terminal: {rows: 30, columns: 90}\n",
      project: "terminal: {rows: 40}\n",
    });
    const projectFile = join(place.project, "holdfast.yaml");
    const loaded = loadConfig({ home: place.home, projectFile, environment: {} });
    expect(loaded.resolved?.config.terminal).toMatchObject({ rows: 40, columns: 90 });
    expect(loaded.files).toEqual([projectFile, join(place.home, "holdfast.yaml")]);
  });
});

describe("loadConfig", () => {
  test("without any source gives the defaults, frozen through and through", () => {
    const { resolved, files } = loadConfig({ home: "/nowhere/at/all", environment: { PATH: "/bin" } });
    expect(files).toEqual([]);
    expect(resolved?.config).toMatchObject({
      profile: "default",
      processes: { maxRunning: 256 },
      retention: { ageMs: 86_400_000, maxEnded: 1_000, maxDiskBytes: 2 ** 31, intervalMs: 60_000 },
      output: { headBytes: 2 ** 20, tailBytes: 2 ** 26 },
      stop: { graceMs: 2_000 },
      start: { timeoutMs: 5_000 },
      shell: { program: null },
    });
    expect(Object.isFrozen(resolved?.config)).toBe(true);
    for (const group of Object.values(resolved?.config ?? {})) expect(Object.isFrozen(group)).toBe(true);
    expect(resolved?.explanations.size).toBe(configTable.keys.size);
  });

  test("takes nothing when one source has one problem, also one that would not decide", () => {
    const place = newPlace({ home: "profile: mine\nlog:\n  files: many\n" });
    const loaded = loadConfig({ home: place.home, environment: { HOLDFAST_LOG_FILES: "4" } });
    expect(loaded.resolved).toBeUndefined();
    expect(loaded.problems).toMatchObject([
      { file: `${place.home}/holdfast.yaml`, line: 3, key: "log.files" },
    ]);
  });

  test("tells the problems of all sources at once", () => {
    const place = newPlace({ home: "a: 1\n", project: "b: [\n" });
    const { problems } = loadConfig({
      home: place.home,
      projectFile: join(place.project, "holdfast.yaml"),
      environment: { HOLDFAST_LOG_LEVEL: "loud" },
    });
    expect(problems.map(({ file, line, key }) => [file, line, key])).toEqual([
      ["HOLDFAST_LOG_LEVEL", null, "log.level"],
      [`${place.project}/holdfast.yaml`, 2, ""],
      [`${place.home}/holdfast.yaml`, 1, "a"],
    ]);
  });
});

describe("environment variables", () => {
  const load = (environment: NodeJS.ProcessEnv) => loadConfig({ home: "/nowhere", environment });

  test("are texts or plain numbers, and count as not set when empty", () => {
    const config = load({
      HOLDFAST_PROFILE: "7",
      HOLDFAST_SHELL_PROGRAM: "/bin/zsh",
      HOLDFAST_STOP_GRACE_MS: "0",
      HOLDFAST_LOG_LEVEL: "",
    }).resolved?.config;
    expect(config).toMatchObject({
      profile: "7",
      shell: { program: "/bin/zsh" },
      stop: { graceMs: 0 },
      log: { level: "info" },
    });
    for (const text of ["1k", " 1", "0x10", "1e3", "-1", "1.5", "NaN"]) {
      expect(load({ HOLDFAST_STOP_GRACE_MS: text }).problems, text).toMatchObject([{ key: "stop.graceMs" }]);
    }
  });

  test("of our groups that no key has are problems; reserved ones and those of others are not", () => {
    expect(load({ HOLDFAST_OUTPUT_TAILBYTES: "1" }).problems).toEqual([
      {
        file: "HOLDFAST_OUTPUT_TAILBYTES",
        line: null,
        key: "",
        message: "no key has this variable; perhaps HOLDFAST_OUTPUT_TAIL_BYTES is meant",
      },
    ]);
    const others = { HOLDFAST_HOME: "/x", HOLDFAST_RUN: "r", HOLDFAST_SESSION: "s", HOLDFAST_TASK: "t" };
    expect(load({ ...others, HOLDFAST_BENCH_DIRECTORY: "/b", OUTPUT_TAIL_BYTES: "x" }).problems).toEqual([]);
  });
});

describe("the project's file", () => {
  const pathOf = async (directory: string, home: string) => (await findProjectFile(directory, home))?.path;

  test("is the nearest one upward", async () => {
    const { home, project } = newPlace({ project: "" });
    const inner = join(project, "deep");
    expect(await pathOf(join(inner, "below"), home)).toBe(join(project, "holdfast.yaml"));
    writeFileSync(join(inner, "holdfast.yaml"), "");
    expect(await pathOf(join(inner, "below"), home)).toBe(join(inner, "holdfast.yaml"));
    expect(await pathOf(project, home)).toBe(join(project, "holdfast.yaml"));
    expect(await pathOf(join(project, "gone/away"), home)).toBe(join(project, "holdfast.yaml"));
  });

  test("is never the home's own, by whatever path it is reached, nor a directory", async () => {
    const { home, project } = newPlace({ home: "profile: a\n" });
    expect(await pathOf(home, home)).toBeUndefined();
    expect(await pathOf(join(home, "runs"), home)).toBeUndefined();
    symlinkSync(home, join(project, "link"));
    expect(await pathOf(join(project, "link"), home)).toBeUndefined();
    linkSync(join(home, "holdfast.yaml"), join(project, "holdfast.yaml"));
    expect(await pathOf(project, home)).toBeUndefined();
    mkdirSync(join(project, "deep/holdfast.yaml"));
    expect(await pathOf(join(project, "deep"), home)).toBeUndefined();
  });

  test("belongs to this user, to root, or to the owner of the directory", () => {
    expect(isTrustedOwner(500, { user: 500, directoryOwner: 0 })).toBe(true);
    expect(isTrustedOwner(0, { user: 500, directoryOwner: 500 })).toBe(true);
    expect(isTrustedOwner(501, { user: 0, directoryOwner: 501 })).toBe(true);
    expect(isTrustedOwner(502, { user: 500, directoryOwner: 500 })).toBe(false);
    expect(isTrustedOwner(502, { user: 0, directoryOwner: undefined })).toBe(false);
  });
});
