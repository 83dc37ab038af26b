import { expect, test } from "vitest";
import { callerLimits, readCallerLimits } from "./caller-limits.ts";

const limits = `Limit                     Soft Limit           Hard Limit           Units
Max file size             unlimited            unlimited            bytes
Max open files            1024                 unlimited            files
`;

test("umask and open files are read from the kernel's texts", () => {
  expect(readCallerLimits("Name:\tnode\nUmask:\t0027\nState:\tR\n", limits)).toMatchObject({
    umask: 0o027,
    nofile: { soft: "1024", hard: "infinity" },
  });
});

test("without them, the umask is asked for and the limit is left alone", () => {
  expect(readCallerLimits("", "")).toMatchObject({ umask: process.umask(), nofile: undefined });
});

test("this process has limits, read once", () => {
  expect(callerLimits()).toBe(callerLimits());
  expect(callerLimits().umask).toBe(process.umask());
});
