import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  configCheckOutputSchema,
  configExplainOutputSchema,
  configListOutputSchema,
  configValueSchema,
} from "../protocol/daemon.ts";
import { ConfigStore, type ConfigReload, type ConfigStoreOptions } from "./config-store.ts";
import { configTable } from "./keys.ts";

const open: ConfigStore[] = [];
afterEach(() => {
  for (const store of open.splice(0)) store.close();
});

function newHome(text?: string): { home: string; file: string } {
  const home = mkdtempSync(join(homedir(), "store-"));
  const file = join(home, "holdfast.yaml");
  if (text !== undefined) writeFileSync(file, text);
  return { home, file };
}

function openStore(home: string, options: Partial<ConfigStoreOptions> = {}): ConfigStore {
  const store = ConfigStore.open({ home, environment: {}, watch: false, ...options });
  open.push(store);
  return store;
}

function nextReload(store: ConfigStore): Promise<ConfigReload> {
  return new Promise((resolve) => {
    const stop = store.onChange((reload) => {
      stop();
      resolve(reload);
    });
  });
}

function refusal(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe("a store", () => {
  test("does not open on a bad configuration, and says where it is bad", () => {
    const { home, file } = newHome("log:\n  files: many\n");
    const error = refusal(() => openStore(home));
    expect(error).toMatchObject({
      code: "CONFIG_INVALID",
      details: { problems: [{ file, line: 2, key: "log.files" }] },
    });
    expect((error as Error).message).toContain(`${file}:2: log.files: "many" cannot be used`);
  });

  test("answers in the shapes of the protocol", async () => {
    const { home } = newHome("log:\n  files: 3\n");
    const store = openStore(home);
    for (const name of configTable.keys.keys()) {
      expect(configExplainOutputSchema.strict().parse(store.explain(name))).toEqual(store.explain(name));
      expect(configValueSchema.strict().parse(store.get(name))).toEqual(store.get(name));
    }
    expect(configListOutputSchema.parse({ values: store.list() }).values).toHaveLength(configTable.keys.size);
    expect(configCheckOutputSchema.parse(await store.check())).toMatchObject({ valid: true, problems: [] });
    expect(refusal(() => store.get("nope.nope"))).toMatchObject({ code: "CONFIG_KEY_UNKNOWN" });
    expect(refusal(() => store.explain("log"))).toMatchObject({ code: "CONFIG_KEY_UNKNOWN" });
  });
});

describe("set", () => {
  test("writes the home's file, keeps its comments, and applies the value", () => {
    const { home, file } = newHome("# Mine.\nlog:\n  level: warn # quiet\n");
    const store = openStore(home);
    expect(store.set("log.level", "debug")).toMatchObject({
      value: "debug",
      source: "home",
      place: `${file}:3`,
    });
    expect(readFileSync(file, "utf8")).toBe("# Mine.\nlog:\n  level: debug # quiet\n");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(store.current.log.level).toBe("debug");
    expect(store.set("stop.graceMs", "300")).toMatchObject({ value: 300 });
    expect(store.set("log.level", null)).toMatchObject({ value: "info", source: "default" });
    expect(readFileSync(file, "utf8")).toBe("# Mine.\nstop:\n  graceMs: 300\n");
    expect(readdirSync(home)).toEqual(["holdfast.yaml"]);
  });

  test("makes the file, and the home, when they are not there", () => {
    const home = join(newHome().home, "later");
    const store = openStore(home);
    expect(store.set("stop.graceMs", null)).toMatchObject({ source: "default" });
    store.set("profile", "mine");
    expect(readFileSync(join(home, "holdfast.yaml"), "utf8")).toBe("profile: mine\n");
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  test("tells when a stronger source still decides", () => {
    const { home } = newHome();
    const store = openStore(home, { environment: { HOLDFAST_LOG_LEVEL: "error" } });
    const told = store.set("log.level", "debug");
    expect(told).toMatchObject({ value: "error", source: "environment", place: "HOLDFAST_LOG_LEVEL" });
    expect(store.explain("log.level").candidates.map(({ value }) => value)).toEqual([
      "error",
      "debug",
      "info",
    ]);
  });

  test("refuses what is no value of the key, and writes nothing", () => {
    const { home, file } = newHome("profile: a\n");
    const store = openStore(home);
    for (const value of ["soon", -1, 1.5, [], {}, true, undefined, Number.NaN]) {
      expect(
        refusal(() => store.set("stop.graceMs", value)),
        JSON.stringify(value),
      ).toMatchObject({
        code: "CONFIG_INVALID",
        details: { problems: [{ key: "stop.graceMs" }] },
      });
    }
    expect(refusal(() => store.set("stop.grace", 1))).toMatchObject({ code: "CONFIG_KEY_UNKNOWN" });
    expect(readFileSync(file, "utf8")).toBe("profile: a\n");
  });

  test("refuses while something else is wrong, and mends what it sets", () => {
    const { home, file } = newHome();
    const store = openStore(home);
    for (const text of ["profile: [\n", "nothing: 1\n", "- a\n"]) {
      writeFileSync(file, text);
      expect(
        refusal(() => store.set("stop.graceMs", 1)),
        text,
      ).toMatchObject({
        code: "CONFIG_INVALID",
        details: { problems: [{ file, line: expect.any(Number) as number }] },
      });
      expect(readFileSync(file, "utf8")).toBe(text);
    }
    writeFileSync(file, "stop:\n  graceMs: long\n");
    expect(store.set("stop.graceMs", 1)).toMatchObject({ value: 1 });
  });

  test("never changes another key through an alias", () => {
    const text = "stop:\n  graceMs: &t 9\nstart:\n  timeoutMs: *t\n";
    const { home, file } = newHome(text);
    const store = openStore(home);
    expect(refusal(() => store.set("stop.graceMs", 1))).toMatchObject({ code: "CONFIG_INVALID" });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(store.set("start.timeoutMs", 1)).toMatchObject({ value: 1 });
    expect(store.get("stop.graceMs")).toMatchObject({ value: 9 });
  });

  test("writes through a symbolic link", () => {
    const { home, file } = newHome();
    const target = join(newHome().home, "dotfile.yaml");
    writeFileSync(target, "profile: a\n");
    symlinkSync(target, file);
    openStore(home).set("profile", "b");
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toBe("profile: b\n");
  });

  test("names the file that cannot be written", () => {
    const { home } = newHome();
    writeFileSync(join(home, "in-the-way"), "");
    const store = openStore(join(home, "in-the-way/home"));
    expect(refusal(() => store.set("profile", "b"))).toMatchObject({ code: "SYSTEM_ERROR" });
    expect(store.current.profile).toBe("default");
  });
});

describe("reload", () => {
  test("keeps the last good configuration whole, and tells why", async () => {
    const { home, file } = newHome("profile: a\nstop:\n  graceMs: 7\n");
    const store = openStore(home);
    const before = store.current;
    const heard: ConfigReload[] = [];
    store.onChange((reload) => heard.push(reload));
    writeFileSync(file, "profile: b\nstop:\n  graceMs: long\n");
    const refused = store.reload();
    expect(refused).toMatchObject({ kind: "refused", problems: [{ file, line: 3, key: "stop.graceMs" }] });
    expect(store.current).toBe(before);
    expect(store.get("profile")).toMatchObject({ value: "a" });
    expect(store.problems).toHaveLength(1);
    expect(await store.check()).toMatchObject({ valid: false, files: [file] });
    store.reload();
    expect(heard).toEqual([refused]);
    writeFileSync(file, "profile: b\nstop:\n  graceMs: 8\n");
    expect(store.reload()).toEqual({ kind: "applied", changed: ["profile", "stop.graceMs"], pending: [] });
    expect(store.current).toMatchObject({ profile: "b", stop: { graceMs: 8 } });
    expect(Object.isFrozen(store.current.stop)).toBe(true);
    expect(store.problems).toEqual([]);
    expect(heard).toHaveLength(2);
  });

  test("holds back what needs a restart, and says so", () => {
    const { home, file } = newHome();
    const store = openStore(home);
    writeFileSync(file, "log: {files: 3, level: warn}\n");
    expect(store.reload()).toEqual({ kind: "applied", changed: ["log.level"], pending: ["log.files"] });
    expect(store.current.log).toMatchObject({ files: 10, level: "warn" });
    expect(store.get("log.files")).toMatchObject({ value: 3, needsRestart: true });
    expect(store.pending).toEqual(["log.files"]);
    expect(openStore(home).current.log.files).toBe(3);
    rmSync(file);
    expect(store.reload()).toEqual({ kind: "applied", changed: ["log.level"], pending: [] });
  });

  test("keeps redaction as it was at the start, whatever is set while it runs", () => {
    const { home } = newHome();
    const store = openStore(home);
    expect(store.set("redaction.enabled", false)).toMatchObject({ value: false, needsRestart: true });
    expect(store.pending).toEqual(["redaction.enabled"]);
    expect(store.current.redaction.enabled).toBe(true);
    expect(openStore(home).current.redaction.enabled).toBe(false);
  });

  test("tells nobody when nothing changed, and knows the new lines", () => {
    const { home, file } = newHome("profile: a\n");
    const store = openStore(home);
    const heard: ConfigReload[] = [];
    const stop = store.onChange((reload) => heard.push(reload));
    writeFileSync(file, "# A comment.\nprofile: a\n");
    store.reload();
    expect(heard).toEqual([]);
    expect(store.get("profile").place).toBe(`${file}:2`);
    stop();
    store.set("profile", "b");
    expect(heard).toEqual([]);
  });
});

describe("watching", () => {
  test("sees a file appear, change, be replaced, go bad and go", async () => {
    const { home, file } = newHome();
    const store = openStore(home, { watch: true });
    expect(store.watchFailures).toEqual([]);
    const steps: [() => void, object][] = [
      [() => writeFileSync(file, "profile: a\n"), { kind: "applied", changed: ["profile"] }],
      [() => writeFileSync(file, "profile: b\n"), { kind: "applied", changed: ["profile"] }],
      [() => replaceByRename(file, "profile: c\n"), { kind: "applied", changed: ["profile"] }],
      [() => writeFileSync(file, "profile: [\n"), { kind: "refused" }],
      [() => rmSync(file), { kind: "applied", changed: ["profile"] }],
    ];
    for (const [change, reload] of steps) {
      const heard = nextReload(store);
      change();
      expect(await heard).toMatchObject(reload);
    }
    expect(store.current.profile).toBe("default");
  });

  test("sees the target of a link", async () => {
    const { home, file } = newHome();
    const target = join(newHome().home, "dotfile.yaml");
    writeFileSync(target, "profile: a\n");
    symlinkSync(target, file);
    const store = openStore(home, { watch: true });
    const heard = nextReload(store);
    writeFileSync(target, "profile: b\n");
    await heard;
    expect(store.current.profile).toBe("b");
  });

  test("says what it cannot watch", () => {
    const { home } = newHome();
    const store = openStore(join(home, "later"), { watch: true });
    expect(store.watchFailures).toEqual([expect.stringContaining("is not watched")]);
    store.set("profile", "a");
    expect(store.watchFailures).toEqual([]);
  });
});

function replaceByRename(file: string, text: string): void {
  writeFileSync(`${file}~`, text);
  chmodSync(`${file}~`, 0o600);
  renameSync(`${file}~`, file);
}
