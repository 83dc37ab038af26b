// A policy as a person meets it at the command line.
import { expect, test } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { writePolicy } from "../support/policy-home.ts";

test("check, run, list, answer and audit", async () => {
  const cli = openCliHome();
  const rules = [
    { name: "making", decision: "ask", command: "touch ..." },
    { name: "never", decision: "deny", command: "mkfs ...", reason: "disks are not ours" },
  ];
  writePolicy(cli.home, { profiles: { default: { rules } } });
  const checked = await cli.run(["policy", "check", "echo a; sh -c 'mkfs x'"]);
  expect(checked.stdout).toContain("deny  never: disks are not ours: mkfs x");
  const denied = await cli.run(["run", "mkfs", "x"]);
  expect(denied).toMatchObject({ code: 4, stdout: "" });
  expect(denied.stderr).toContain("never: disks are not ours");
  expect(denied.stderr).toContain("POLICY_DENIED");
  const waiting = cli.start(["run", "--session", "s1", "touch /dev/null && echo made"]);
  // Whoever is answered within half a second is told nothing: the answer below must come later.
  await waiting.notes("waits for a person: `holdfast approvals answer a_");
  const open = (await cli.run(["approvals"])).stdout;
  expect(open).toContain("touch /dev/null");
  const id = /a_[a-z0-9]{12}/.exec(open)?.[0] ?? "";
  const asAgent = await cli.run(["approvals", "answer", id, "once"], {
    environment: { HOLDFAST_SESSION: "s1" },
  });
  expect(asAgent).toMatchObject({ code: 4 });
  expect(asAgent.stderr).toContain("PERSON_REQUIRED");
  expect((await cli.run(["approvals", "answer", id, "once"])).stdout).toContain(`${id} approved`);
  const ended = await waiting.answer;
  expect(ended).toMatchObject({ code: 0, stdout: "made\n" });
  expect(ended.stderr).toContain(`waits for a person: \`holdfast approvals answer ${id} once\``);
  const lifted = await cli.run(["policy", "lift", "s1", "--for", "1h"]);
  expect(lifted.stdout).toMatch(/^g_[a-z0-9]{12}\n$/);
  const listed = (await cli.run(["policy"])).stdout;
  expect(listed).toContain("mkfs ...");
  expect(listed).toContain(lifted.stdout.trim());
  expect((await cli.run(["policy", "restore", "s1"])).stdout).toBe("1 grant ended\n");
  const audit = (await cli.run(["audit"])).stdout;
  expect(audit).toMatch(/answered +allow +s1 +making/);
  expect(audit).toMatch(/decided +deny +- +never +policy +mkfs x/);
});
