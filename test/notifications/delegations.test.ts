// Delegations that several tell of at the same moment.
import { expect, test } from "vitest";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";

test("items told at the same moment are all kept, and of several ends one counts and is told", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home, session: "s1" });
  const goals = Array.from({ length: 20 }, (_, index) => `part ${index}`);
  const { id } = await client.delegation.start({ goal: "all of it", items: goals });
  await Promise.all(
    goals.map((goal, index) =>
      client.delegation.progress({
        delegation: id,
        items: [{ index, status: "completed", summary: `${goal} done` }],
      }),
    ),
  );
  const [work] = (await client.delegation.list({})).delegations;
  expect(work?.items.map(({ status }) => status)).toEqual(goals.map(() => "completed"));
  const ends = await Promise.allSettled([
    client.delegation.finish({ delegation: id }),
    client.delegation.cancel({ delegation: id }),
    client.delegation.finish({ delegation: id, error: "twice" }),
  ]);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
  const [ended] = (await client.delegation.list({})).delegations;
  const { notices } = await client.notifications.list({ kinds: ["delegation.finished"] });
  expect(notices).toHaveLength(1);
  expect(notices[0]?.text).toContain(`Delegation ${id} is ${ended?.state}: all of it`);
  for (const goal of goals) expect(notices[0]?.text).toContain(`${goal} done`);
});
