// Commands that the configuration of their profile confines, whether their caller asks for it or not.
import { expandHome, isWithin, profileConfinement, temporaryPlaces } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { Caller } from "../protocol/operations.ts";
import type { StartInput } from "../protocol/process.ts";
import type { OperationContext } from "./context.ts";

/**
 * The start as it must be. What the configuration itself starts (sinks) is not confined: a person wrote it.
 * @throws HoldfastError POLICY_DENIED: its caller wants more than the profile allows
 */
export function requireConfinement(
  { processes }: OperationContext,
  caller: Caller,
  input: StartInput,
): StartInput {
  const { session, task, profile } = input.owner;
  const { require, write } = profileConfinement(processes.config(), profile);
  const isMeant = require === "always" || (require === "sessions" && (session ?? task) !== undefined);
  if (!isMeant || caller.isConfiguration === true) return input;
  const { confine = true } = input;
  if (confine !== true) refuseWider(profile, write.map(expandHome), confine.write.map(expandHome));
  return { ...input, confine };
}

function refuseWider(profile: string, allowed: readonly string[], asked: readonly string[]): void {
  const places = [...allowed, ...temporaryPlaces()];
  const wider = asked.filter((path) => !places.some((place) => isWithin(path, place)));
  if (wider.length === 0) return;
  throw new HoldfastError(
    "POLICY_DENIED",
    `The profile "${profile}" confines this command, and does not let it write to ${wider.join(", ")}. Nothing was started.`,
    {
      details: { profile, write: wider },
      hint: "Leave confine.write out, or ask the person who wrote confinement.profiles.",
    },
  );
}
