// The order of the test files: those known to take long begin first, so that the end of a run is not one file that everybody waits for.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Longest first; what is not named comes after them, in any order. */
const longest = [
  "test/recovery/soak.test.ts",
  "test/keeper/recovery-random-kills.test.ts",
  "test/notifications/soak.test.ts",
  "test/processes/watch-kill.test.ts",
  "test/processes/watch-end.test.ts",
  "test/cli/invalid.test.ts",
  "test/mcp/conformance.test.ts",
  "test/mcp/waits.test.ts",
  "test/daemon/stop.test.ts",
  "test/daemon/replace.test.ts",
  "test/daemon/restart.test.ts",
] as const;

export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
      return index < 0 ? longest.length : index;
    };
    return Promise.resolve(files.toSorted((a, b) => place(a) - place(b)));
  }
}
