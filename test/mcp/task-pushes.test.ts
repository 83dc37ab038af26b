// Pushes of a task's state to whoever subscribed to it, on both transports, and to nobody else.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { openRawHttp, openRawStdio, type RawMcp } from "../support/raw-mcp.ts";

interface Opened {
  readonly home: string;
  readonly own: RawMcp;
  readonly other: RawMcp;
}

const transports: Readonly<Record<string, () => Promise<Opened>>> = {
  stdio: () => {
    const cli = openCliHome();
    return Promise.resolve({
      home: cli.home,
      own: openRawStdio(cli),
      other: openRawStdio(cli, "other-agent"),
    });
  },
  HTTP: async () => {
    const daemon = await openDaemonHome();
    return { home: daemon.home, own: openRawHttp(daemon), other: openRawHttp(daemon, "other-agent") };
  },
};

const honouredIn = ({ params }: { readonly params?: Record<string, unknown> }): unknown =>
  params?.["notifications"];

test.each(Object.keys(transports))(
  "%s: what a task becomes is pushed with the whole task, to its own session only",
  async (name) => {
    const opened = await transports[name]?.();
    if (opened === undefined) throw new Error("no such transport");
    const { home, own, other } = opened;
    const gate = join(home, "gate");
    const command = `until [ -e '${gate}' ]; do sleep 0.05; done; exit 5`;
    const { result } = await own.ask("tools/call", {
      name: "terminal",
      arguments: { command, workdir: "/" },
    });
    const taskId = String(result?.["taskId"]);
    expect(result).toMatchObject({ resultType: "task", status: "working" });
    const filter = { notifications: { taskIds: [taskId, "p_unknownunkno", taskId.slice(0, 8)] } };
    const mine = await own.listen(filter);
    expect(honouredIn(await mine.next("notifications/subscriptions/acknowledged"))).toEqual({
      taskIds: [taskId],
    });
    const now = await mine.next("notifications/tasks");
    expect(now.params).toMatchObject({ taskId, status: "working", ttlMs: null });
    expect(now.params?.["_meta"]).toHaveProperty("io.modelcontextprotocol/subscriptionId");
    const theirs = await other.listen(filter);
    expect(honouredIn(await theirs.next("notifications/subscriptions/acknowledged"))).toEqual({});
    writeFileSync(gate, "");
    const done = await mine.next("notifications/tasks");
    expect(done.params).toMatchObject({ taskId, status: "completed", statusMessage: "exit 5" });
    expect(done.params?.["_meta"]).toEqual(now.params?.["_meta"]);
    expect((await other.ask("tasks/get", { taskId })).error).toMatchObject({ code: -32_602 });
  },
);

test("tasks and resources share a subscription; an address of a task is nobody's to name", async () => {
  const daemon = await openDaemonHome();
  const own = openRawHttp(daemon);
  const { result } = await own.ask("tools/call", {
    name: "terminal",
    arguments: { command: "exec sleep 60", workdir: "/" },
  });
  const taskId = String(result?.["taskId"]);
  const uri = `holdfast://process/${taskId}`;
  const stream = await own.listen({
    notifications: {
      taskIds: [taskId],
      resourceSubscriptions: [uri, "holdfast://task/p_x"],
      resourcesListChanged: true,
    },
  });
  expect(honouredIn(await stream.next("notifications/subscriptions/acknowledged"))).toEqual({
    taskIds: [taskId],
    resourceSubscriptions: [uri],
    resourcesListChanged: true,
  });
  await own.ask("tasks/cancel", { taskId });
  await stream.next("notifications/tasks"); // as it was
  expect((await stream.next("notifications/resources/updated")).params).toMatchObject({ uri });
  for (;;) {
    const { params } = await stream.next("notifications/tasks");
    if (params?.["status"] === "cancelled") break;
  }
});
