// A run that nobody waits for: the program that started it has let go of it, so nothing but the test asks for its recovery.
import { Launcher, type StartedRun } from "../../src/keeper/index.ts";
import { completeRequest, startPatience, type KeeperHome, type PartialRequest } from "./keeper-home.ts";

export async function startUnwatched(keeper: KeeperHome, request: PartialRequest): Promise<StartedRun> {
  const launcher = await Launcher.open({ home: keeper.home, binary: keeper.binary, environment: {} });
  const outcome = await launcher.start(completeRequest(request), startPatience);
  await launcher.close();
  if (outcome.kind !== "started") throw new Error(`start failed: ${JSON.stringify(outcome)}`);
  return outcome;
}
