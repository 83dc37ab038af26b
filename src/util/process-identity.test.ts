import { describe, expect, test } from "vitest";
import { identityOf, isRunning, parseProcessStat, probeProcess } from "./process-identity.ts";

const afterName = "S 1 2 3 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 50";

describe("parseProcessStat", () => {
  test("counts from the last parenthesis, whatever the name holds", () => {
    for (const name of ["sh", "a b", "evil) R 1 2", "((", ""]) {
      expect(parseProcessStat(`12 (${name}) ${afterName}`)).toEqual({ state: "S", startTime: 987_654 });
    }
  });

  test("is nothing for what is not whole", () => {
    expect(parseProcessStat("")).toBeUndefined();
    expect(parseProcessStat("12 (sh) S 1 2")).toBeUndefined();
  });
});

describe("probeProcess", () => {
  const self = identityOf(process.pid);
  if (self === undefined) throw new Error("this process cannot look at itself");

  test("this process runs; one with another start time or boot is gone", () => {
    expect(probeProcess(self)).toBe("running");
    expect(isRunning(self)).toBe(true);
    expect(probeProcess({ ...self, startTime: self.startTime + 1 })).toBe("gone");
    expect(probeProcess({ ...self, bootId: "another" })).toBe("gone");
  });

  test("of another PID namespace nothing can be told", () => {
    expect(probeProcess({ ...self, pidNamespace: "pid:[1]" })).toBe("foreign");
  });

  test("without a boot id only an absence is proven", () => {
    expect(probeProcess({ ...self, bootId: "" })).toBe("unknown");
    expect(probeProcess({ ...self, bootId: "", pid: 4_194_304 })).toBe("gone");
    expect(isRunning({ ...self, bootId: "" })).toBe(false);
  });
});
