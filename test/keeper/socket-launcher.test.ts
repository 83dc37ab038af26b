// The launcher's own socket can be lost too.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Launcher } from "../../src/keeper/index.ts";
import { completeRequest, openKeeperHome } from "../support/keeper-home.ts";

test("a launcher whose socket file was removed is reached again, and its runs go on", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  rmSync(join(keeper.home, "launcher.sock"));
  await using launcher = await Launcher.open({ home: keeper.home, binary: keeper.binary, environment: {} });
  const outcome = await launcher.start(completeRequest({ argv: ["/bin/true"] }));
  expect(outcome.kind).toBe("started");
  await using kept = keeper.kept(run.id);
  await kept.write("still here\n");
  await kept.closeStdin();
  expect((await kept.wait()).exit).toEqual({ kind: "exited", code: 0 });
});
