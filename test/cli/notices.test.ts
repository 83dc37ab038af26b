// Notices, jobs, barriers, sessions and delegations as people and as programs see them on the command line.
import { expect, test } from "vitest";
import type { DelegationView } from "../../src/protocol/delegations.ts";
import type { NoticeWithText } from "../../src/protocol/notices.ts";
import type { OperationOutput } from "../../src/protocol/operations.ts";
import type { ProcessView } from "../../src/protocol/process.ts";
import { openCliHome, sharedCliHome, type CliHome } from "../support/cli-home.ts";

const shared = sharedCliHome();

async function ended(cli: CliHome, ...args: string[]): Promise<string> {
  const id = await cli.background(...args);
  await cli.run(["wait", id]); // of nobody's session: the notice stays owed
  return id;
}

test("notifications: listed, shown, claimed, given back, acknowledged, replayed", async () => {
  const cli = shared;
  const id = await ended(cli, "--notify", "--session", "s1", "--", "sh", "-c", "echo hi; exit 3");
  const [notice] = await cli.json<NoticeWithText[]>(["notifications", "--json"]);
  const notices = notice?.id ?? "";
  expect(notice).toMatchObject({ kind: "process.ended", state: "pending", owner: { session: "s1" } });
  const table = (await cli.run(["notifications"])).stdout;
  expect(table).toMatch(/^ID +AT +STATE +KIND +WHAT\n/);
  expect(table).toMatch(new RegExp(`^${notices} +\\S+ +pending +process\\.ended +Process ${id} ended`, "m"));
  const shown = await cli.run(["notifications", "show", notices]);
  expect(shown.stdout).toMatch(
    new RegExp(
      `^\\[Holdfast notice ${notices}\\] Process ${id} ended with exit code 3 after .*\ncommand: sh -c 'echo hi; exit 3'\noutput:\n {2}\\| hi\nmore: holdfast logs ${id}\n$`,
    ),
  );
  expect(await cli.json(["notifications", "get", notices, "--json"])).toMatchObject({ id: notices });
  const claim = ["notifications", "claim", "--consumer", "a", "--json"];
  expect(await cli.json(claim)).toMatchObject([{ id: notices, attempts: 1 }]);
  expect(await cli.json(["notifications", "claim", "--consumer", "b", "--json"])).toEqual([]);
  const other = await cli.run(["notifications", "ack", notices, "--consumer", "b"]);
  expect(other).toMatchObject({ code: 6, stdout: "" });
  expect(other.stderr).toContain("is not this consumer's");
  const release = ["notifications", "release", notices, "--consumer", "a"];
  expect(await cli.run(release)).toMatchObject({ code: 0, stdout: `${notices} released\n` });
  expect((await cli.run(["notifications", "claim", "--consumer", "b"])).stdout).toContain(id);
  const acknowledge = ["notifications", "acknowledge", notices, "--consumer", "b", "--json"];
  expect(await cli.json(acknowledge)).toEqual([{ id: notices, outcome: "done" }]);
  const again = await cli.run(["notifications", "ack", notices, "n_22222222222222222222"]);
  expect(again).toMatchObject({ code: 5, stdout: "" });
  expect(again.stderr).toBe(`${notices} was settled before\nn_22222222222222222222 is not known\n`);
  expect(await cli.json(["notifications", "--json"])).toEqual([]);
  expect(await cli.json(["notifications", "list", "-a", "--json"])).toHaveLength(1);
  expect(await cli.run(["notifications", "replay", notices])).toMatchObject({
    code: 0,
    stdout: `${notices} is owed again\n`,
  });
  expect(await cli.json(["notifications", "--json"])).toHaveLength(1);
  expect(await cli.json(["notifications", "dead", "--json"])).toEqual({ deliveries: [], sinks: [] });
  expect((await cli.run(["notifications", "dead"])).stdout).toMatch(/^NOTICE +SINK +STATE +TRIED +AT +WHY\n/);
});

test("the list of a session leaves out what it has looked at; follow prints what comes, one line of JSON each", async () => {
  const cli = openCliHome();
  const first = await ended(cli, "--notify", "--session", "s1", "--", "false");
  const session = { environment: { HOLDFAST_SESSION: "s1" } };
  expect(await cli.json(["notifications", "--json"], session)).toMatchObject([{ processId: first }]);
  await cli.run(["show", first], session);
  const own = async (): Promise<unknown> => await cli.json(["notifications", "--json"], session);
  await expect.poll(own, { timeout: 10_000, interval: 200 }).toEqual([]);
  expect(await cli.json(["notifications", "--json"])).toMatchObject([{ processId: first, observed: true }]);
  const following = cli.start([
    "notifications",
    "follow",
    "--json",
    "--after",
    "0",
    "--kind",
    "process.ended",
  ]);
  await following.shows(first);
  const second = await cli.background("--notify", "failure", "--", "false");
  await following.shows(second);
  following.child.kill("SIGINT");
  const { stdout } = await following.answer;
  const lines = stdout.trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as NoticeWithText).processId)).toEqual([first, second]);
});

test("job run prints an id, list, show and result tell of it; progress and a limit may be asked for", async () => {
  const cli = shared;
  const run = await cli.run(["job", "run", "--session", "s1", "--", "sh", "-c", "seq 3; exit 4"]);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  const id = run.stdout.trim();
  await cli.run(["wait", id]);
  expect(await cli.json(["job", "list", "--session", "s1", "--json"])).toMatchObject([{ id, kind: "job" }]);
  expect(await cli.json(["job", "list", "--session", "s2", "--json"])).toEqual([]);
  expect((await cli.run(["job", "list"])).stdout).toMatch(
    new RegExp(`^${id} +exited 4 .* sh -c 'seq 3`, "m"),
  );
  expect(await cli.json(["job", "show", id, "--json"])).toMatchObject({ id, notify: "end" });
  expect((await cli.run(["job", "get", id])).stdout).toMatch(new RegExp(`^id +${id}$`, "m"));
  expect((await cli.run(["job", "result", id])).stdout).toMatch(
    new RegExp(`^Job ${id} ended with exit code 4 after .*\n1\n2\n3\n$`),
  );
  type Result = OperationOutput<"job.result">;
  expect(await cli.json<Result>(["job", "result", id, "--json"])).toMatchObject({
    isFinal: true,
    omittedBytes: 0,
    process: { exit: { kind: "exited", code: 4 } },
  });
  const limited = ["job", "run", "--timeout", "1m", "--notify", "failure", "--progress", "30s", "--json"];
  expect(await cli.json<ProcessView>([...limited, "--", "true"])).toMatchObject({
    kind: "job",
    notify: "failure",
    limits: { wallMs: 60_000 },
  });
  const plain = await cli.background("--", "true");
  const refused = await cli.run(["job", "result", plain]);
  expect(refused).toMatchObject({ code: 6, stdout: "" });
  expect(refused.stderr).toContain("[NOT_A_JOB]");
});

test("barrier and session: said, asked and taken back", async () => {
  const cli = shared;
  const id = await cli.background("--", "sleep", "60");
  expect(await cli.run(["barrier", "get", "s1"])).toMatchObject({ stdout: "go on: no barrier is set\n" });
  expect(await cli.run(["barrier", "set", "s1", "--process", id])).toMatchObject({
    code: 0,
    stdout: `waiting: ${id} is running\n`,
  });
  expect(await cli.json(["barrier", "get", "s1", "--json"])).toMatchObject({ waiting: true });
  await cli.run(["stop", id]);
  expect(await cli.run(["barrier", "get", "s1"])).toMatchObject({ stdout: `go on: ${id} has ended\n` });
  const later = ["barrier", "set", "s1", "--until", "2100-01-01T00:00:00Z"];
  expect((await cli.run(later)).stdout).toBe("waiting: it is not yet 2100-01-01T00:00:00.000Z\n");
  expect(await cli.run(["barrier", "clear", "s1"])).toMatchObject({ stdout: "cleared\n" });
  expect(await cli.json(["barrier", "clear", "s1", "--json"])).toEqual({ cleared: false });
  const busy = ["session", "busy", "s1", "--by", "me", "--lease", "1h"];
  expect((await cli.run(busy)).stdout).toMatch(/^busy +me, until \d{4}-/m);
  const refused = await cli.run(["session", "busy", "s1", "--by", "you"]);
  expect(refused).toMatchObject({ code: 6, stdout: "" });
  expect(refused.stderr).toMatch(/^holdfast: me is busy with session s1 until .* \[SESSION_BUSY\]\n/);
  expect(await cli.json(["session", "idle", "s1", "--by", "you", "--json"])).toMatchObject({ busy: true });
  expect((await cli.run(["session", "idle", "s1"])).stdout).toMatch(/^busy +no$/m);
  expect(await cli.json(["session", "attend", "s1", "--json"])).toMatchObject({
    resumptions: 0,
    replayed: 0,
  });
});

test("delegation: registered, told of item by item or as JSON, listed, over once", async () => {
  const cli = openCliHome();
  const start = ["delegation", "start", "Look at it", "--item", "a", "--item", "b", "--session", "s1"];
  const id = (await cli.run(start)).stdout.trim();
  expect(id).toMatch(/^d_/);
  const progress = [
    "delegation",
    "progress",
    id,
    "--item",
    "1",
    "--status",
    "completed",
    "--summary",
    "fine",
  ];
  expect(await cli.run(progress)).toMatchObject({ code: 0, stdout: `${id} running\n` });
  expect((await cli.run(["delegation", "list"])).stdout).toMatch(
    new RegExp(`^${id} +running .* 1/2 +Look`, "m"),
  );
  const items = JSON.stringify([{ index: 0, status: "failed", error: "no such file" }]);
  const finish = ["delegation", "finish", id, "--items", "--json"];
  expect(await cli.json<DelegationView>(finish, { input: items })).toMatchObject({
    state: "finished",
    items: [{ status: "failed", error: "no such file" }, { status: "completed" }],
  });
  const over = await cli.run(["delegation", "cancel", id, "--reason", "late"]);
  expect(over).toMatchObject({ code: 6, stdout: "" });
  expect(over.stderr).toContain("[DELEGATION_OVER]");
  expect(await cli.json(["delegation", "list", "--json"])).toEqual([]);
  expect(await cli.json(["delegation", "list", "-a", "--json"])).toMatchObject([{ id, state: "finished" }]);
  const [notice] = await cli.json<NoticeWithText[]>(["notifications", "--json"]);
  expect(notice).toMatchObject({ kind: "delegation.finished", owner: { session: "s1" } });
  const one = await cli.json<DelegationView>(["delegation", "start", "Other", "--model", "m", "--json"]);
  expect(await cli.run(["delegation", "cancel", one.id])).toMatchObject({ stdout: `${one.id} cancelled\n` });
});
