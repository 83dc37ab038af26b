// What the store remembers of processes, whichever database is under it.
import { describe, expect, test } from "vitest";
import { startInputSchema } from "../../src/protocol/process.ts";
import { withoutEnvironmentValues, type ProcessRecord } from "../../src/store/index.ts";
import { sampleRecord } from "../support/store-record.ts";
import { openTestStore } from "../support/test-store.ts";

const exit: ProcessRecord["exit"] = {
  exit: { kind: "exited", code: 3 },
  stopReason: "none",
  endedAt: 1_760_000_009_000,
  durationUs: 9_000_000,
  outputBytes: 12,
  gapBytes: 0,
  descendants: 0,
};

const ids = (records: readonly ProcessRecord[]): string[] => records.map(({ id }) => id);

describe("a record", () => {
  test("comes back as it was inserted", async () => {
    const { store } = await openTestStore();
    const full = sampleRecord({
      name: "server",
      session: "s1",
      task: "t1",
      origin: { channel: "#ops", deep: { list: [1, null, "✓"] } },
      labels: { role: "web", 'a"b': "it's" },
      idempotencyKey: "key-1",
      stopRequester: { verb: "process.stop", requestId: "r_1" },
      outputBytes: Number.MAX_SAFE_INTEGER,
      outputRemoved: true,
      state: "ended",
      endedAt: 1_760_000_009_000,
      exit,
    });
    const bare = sampleRecord({ pid: null, childStart: null, startedAt: null, state: "starting" });
    for (const record of [full, bare]) {
      await store.processes.insert(record);
      expect(await store.processes.get(record.id)).toEqual(record);
    }
    expect(await store.processes.byIdempotencyKey("key-1")).toEqual(full);
    expect(await store.processes.byIdempotencyKey("key-2")).toBeUndefined();
    expect(await store.processes.get("p_nothing")).toBeUndefined();
  });

  test("changes only in the fields that are given, and never in what it is found by", async () => {
    const { store } = await openTestStore();
    const record = sampleRecord({ labels: { role: "web" }, idempotencyKey: "key-1" });
    await store.processes.insert(record);
    expect(await store.processes.update(record.id, { state: "stopping", name: "server" })).toBe(true);
    expect(await store.processes.update(record.id, {})).toBe(true);
    expect(await store.processes.update("p_nothing", { state: "stopping" })).toBe(false);
    expect(await store.processes.update("p_nothing", {})).toBe(false);
    const changed: ProcessRecord = { ...record, state: "ended", name: null, exit, outputRemoved: true };
    const whole = { ...changed, id: "p_other", labels: {}, createdAt: 1, idempotencyKey: null };
    expect(await store.processes.update(record.id, whole)).toBe(true);
    expect(await store.processes.get(record.id)).toEqual(changed);
  });

  test("keeps names of environment variables and no values", () => {
    const input = startInputSchema.parse({
      command: ["true"],
      environment: { caller: { HOME: "/root-secret" }, set: { TOKEN: "secret" }, remove: ["LANG"] },
    });
    const spec = withoutEnvironmentValues(input);
    expect(spec.environment).toEqual({ pass: [], set: ["TOKEN"], remove: ["LANG"], exact: false });
    expect(JSON.stringify(spec)).not.toContain("secret");
  });

  test("goes with its labels when it is deleted", async () => {
    const { store } = await openTestStore();
    const record = sampleRecord({ labels: { role: "web" } });
    await store.processes.insert(record);
    expect(await store.processes.delete(record.id)).toBe(true);
    expect(await store.processes.delete(record.id)).toBe(false);
    expect(await store.processes.get(record.id)).toBeUndefined();
    // The labels have the id as their key: were they still there, this would fail.
    await store.processes.insert(record);
    expect(await store.processes.list({ labels: { role: "web" } })).toEqual([record]);
  });
});

describe("what must be unique", () => {
  test("is the name among the living", async () => {
    const { store } = await openTestStore();
    const [first, second] = [sampleRecord({ name: "server" }), sampleRecord({ name: "server" })];
    await store.processes.insert(first);
    expect(await store.processes.liveByName("server")).toEqual(first);
    const conflict = { code: "STORE_CONFLICT", details: { columns: ["processes.name"] } };
    await expect(store.processes.insert(second)).rejects.toMatchObject(conflict);
    await store.processes.update(first.id, { state: "ended" });
    expect(await store.processes.liveByName("server")).toBeUndefined();
    await store.processes.insert(second);
    expect(await store.processes.liveByName("server")).toEqual(second);
    await expect(store.processes.update(first.id, { state: "running" })).rejects.toMatchObject(conflict);
    // Any number may have no name.
    await store.processes.insert(sampleRecord());
    await store.processes.insert(sampleRecord());
  });

  test("is the idempotency key for ever, and the id", async () => {
    const { store } = await openTestStore();
    const first = sampleRecord({ idempotencyKey: "key-1", state: "ended" });
    await store.processes.insert(first);
    await expect(store.processes.insert(sampleRecord({ idempotencyKey: "key-1" }))).rejects.toMatchObject({
      details: { columns: ["processes.idempotency_key"] },
    });
    await expect(store.processes.insert(sampleRecord({ id: first.id }))).rejects.toMatchObject({
      details: { columns: ["processes.id"] },
    });
  });

  test("an insert that fails leaves no label behind", async () => {
    const { store } = await openTestStore();
    await store.processes.insert(sampleRecord({ name: "server" }));
    const labels = { role: "web" };
    await expect(store.processes.insert(sampleRecord({ name: "server", labels }))).rejects.toThrow("name");
    expect(await store.processes.list({ labels })).toEqual([]);
  });
});

describe("lists", () => {
  const records = [
    sampleRecord({ id: "p_one111111111", createdAt: 1, session: "s1", labels: { role: "web", tier: "1" } }),
    sampleRecord({ id: "p_two111111111", createdAt: 2, session: "s1", task: "t1", state: "starting" }),
    sampleRecord({ id: "p_six111111111", createdAt: 3, state: "ended", endedAt: 9, labels: { role: "web" } }),
    sampleRecord({ id: "p_ten111111111", createdAt: 3, state: "ended", endedAt: 5, profile: "other" }),
    sampleRecord({ id: "p_old111111111", createdAt: 0, state: "stopping", labels: { role: "db" } }),
  ];

  async function filled(): Promise<Awaited<ReturnType<typeof openTestStore>>["store"]> {
    const { store } = await openTestStore();
    for (const record of records) await store.processes.insert(record);
    return store;
  }

  test("are newest first and hold what every condition allows", async () => {
    const { processes } = await filled();
    const [one, two, six, ten, old] = ids(records);
    expect(ids(await processes.list())).toEqual([ten, six, two, one, old]);
    expect(ids(await processes.list({ limit: 2 }))).toEqual([ten, six]);
    expect(ids(await processes.list({ states: ["running", "starting"] }))).toEqual([two, one]);
    expect(await processes.list({ states: [] })).toEqual([]);
    expect(ids(await processes.list({ session: "s1" }))).toEqual([two, one]);
    expect(ids(await processes.list({ session: "s1", task: "t1" }))).toEqual([two]);
    expect(ids(await processes.list({ profile: "other" }))).toEqual([ten]);
    expect(ids(await processes.list({ labels: { role: "web" } }))).toEqual([six, one]);
    expect(ids(await processes.list({ labels: { role: "web", tier: "1" } }))).toEqual([one]);
    expect(await processes.list({ labels: { role: "web", tier: "2" } })).toEqual([]);
  });

  test("of the living are oldest first, of the ended in the order of their end", async () => {
    const { processes } = await filled();
    const [one, two, six, ten, old] = ids(records);
    expect(ids(await processes.live())).toEqual([old, one, two]);
    expect(ids(await processes.ended())).toEqual([ten, six]);
    expect(ids(await processes.ended({ endedBefore: 9 }))).toEqual([ten]);
    expect(ids(await processes.ended({ limit: 1 }))).toEqual([ten]);
    expect(await processes.countByState()).toEqual({ starting: 1, running: 1, stopping: 1, ended: 2 });
  });
});

test("a prefix of four random characters names a process, with or without p_", async () => {
  const { store } = await openTestStore();
  const known = ["p_bcdfg2345678", "p_bcdfh2345678", "p_bcdfj2345678", "p_bcdzz2345678", "p_zzzz"];
  for (const id of known) await store.processes.insert(sampleRecord({ id }));
  const find = async (text: string): Promise<string[]> => ids(await store.processes.byIdPrefix(text));
  expect(await find("p_bcdfg2345678")).toEqual(["p_bcdfg2345678"]);
  expect(await find("p_bcdfg")).toEqual(["p_bcdfg2345678"]);
  expect(await find("bcdz")).toEqual(["p_bcdzz2345678"]);
  expect(await find("p_zzzz")).toEqual(["p_zzzz"]);
  expect(await find("p_bcdf")).toEqual(["p_bcdfg2345678", "p_bcdfh2345678"]);
  for (const text of ["bcd", "p_bcd", "p_", "", "bcd%", "bcd_", "BCDF", "bcdf'", "bcdfk", "p_p_bcdfg"]) {
    expect(await find(text), text).toEqual([]);
  }
});
