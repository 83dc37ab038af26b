// A daemon on a machine that cannot confine: confined starts are refused and say what is missing, everything else goes on.
import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileFixture } from "../support/compile-fixture.ts";
import { ownRuntimeDirectory } from "../support/confined-daemon.ts";
import { ask, refused } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { newTestHome } from "../support/test-home.ts";

const createRuleset = 444;

test("a confined start is refused with what is missing, and doctor says so where it is required", async () => {
  const home = newTestHome();
  const through = [compileFixture("without_call"), String(createRuleset), String(constants.errno.ENOSYS)];
  const daemon = await openDaemonHome({ home, through, environment: ownRuntimeDirectory() });
  const error = await refused(daemon, "process.start", { command: ["/bin/true"], confine: true });
  expect(error).toMatchObject({
    status: 503,
    code: "CONFINEMENT_UNAVAILABLE",
    message: expect.stringMatching(
      /^The command cannot be confined here: .*Linux 6\.12.* Nothing was started\.$/,
    ) as string,
    details: { stage: "landlock", errno: constants.errno.ENOSYS },
  });
  expect(await ask(daemon, "process.get", { id: String(error.details["id"]) })).toMatchObject({
    state: "ended",
    exit: { kind: "spawn_failed", stage: "landlock" },
  });
  const confinementOf = async (): Promise<unknown> =>
    (await ask(daemon, "doctor", {})).checks.find(({ name }) => name === "confinement");
  expect(await confinementOf()).toMatchObject({
    result: "ok",
    message: expect.stringMatching(/^Commands cannot be confined here, and need not be: .*6\.12/) as string,
  });

  const confinement = { profiles: { default: { require: "sessions" } } };
  writeFileSync(join(home, "holdfast.yaml"), JSON.stringify({ confinement }));
  await expect.poll(confinementOf, { timeout: 10_000 }).toMatchObject({
    result: "problem",
    message: expect.stringMatching(/^Commands of profile default must be confined and cannot be: /) as string,
  });
  const required = await refused(daemon, "process.start", {
    command: ["/bin/true"],
    owner: { session: "agent" },
  });
  expect(required.code).toBe("CONFINEMENT_UNAVAILABLE");
  expect(await ask(daemon, "process.start", { command: ["/bin/true"] })).toMatchObject({
    confined: false,
    exit: null,
  });
});
