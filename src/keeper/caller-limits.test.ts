import { expect, test } from "vitest";
import { boundedNofile, callerLimits, readCallerLimits } from "./caller-limits.ts";

const limits = `Limit                     Soft Limit           Hard Limit           Units
Max file size             unlimited            unlimited            bytes
Max open files            1024                 unlimited            files
`;

test("umask and open files are read from the kernel's texts", () => {
  expect(readCallerLimits("Name:\tnode\nUmask:\t0027\nState:\tR\n", limits)).toMatchObject({
    umask: 0o027,
    nofile: { soft: 1024, hard: "infinity" },
  });
});

test("without them, the umask is asked for and the limit is left alone", () => {
  expect(readCallerLimits("", "")).toMatchObject({ umask: process.umask(), nofile: undefined });
});

test("this process has limits, read once", () => {
  expect(callerLimits()).toBe(callerLimits());
  expect(callerLimits().umask).toBe(process.umask());
});

test("the soft limit from before Node raised it counts, and is never above the hard one", () => {
  const raised = "Max open files            4096                 4096                 files\n";
  const nofile = (before?: string) => readCallerLimits("", raised, before).nofile;
  expect(nofile("1000")).toEqual({ soft: 1000, hard: 4096 });
  expect(nofile("9000")).toEqual({ soft: 4096, hard: 4096 });
  expect(nofile("unlimited")).toEqual({ soft: 4096, hard: 4096 });
  expect(nofile()).toEqual({ soft: 4096, hard: 4096 });
});

test("a caller's limit is given on as far as it may be", () => {
  const own = { soft: 10, hard: 100 };
  expect(boundedNofile({ soft: 50, hard: 80 }, own)).toEqual({ soft: 50, hard: 80 });
  expect(boundedNofile({ soft: 50, hard: "infinity" }, own)).toEqual({ soft: 50, hard: 100 });
  expect(boundedNofile({ soft: 500, hard: 500 }, own)).toEqual({ soft: 100, hard: 100 });
  expect(boundedNofile({ soft: 500, hard: 500 }, { soft: 1, hard: "infinity" })).toEqual({
    soft: 500,
    hard: 500,
  });
});
