import { execFileSync, spawnSync } from "node:child_process";
import { accessSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { HoldfastError } from "../../protocol/errors.ts";
import { safeError } from "./safe-error.ts";

const secret = "hunter2-token";

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("it was expected to throw");
}

test("an error keeps its type, code, message, stack and causes", () => {
  const error = new HoldfastError("STORE_FULL", "The disk is full.", { cause: new TypeError("inner") });
  const logged = safeError(error);
  expect(logged).toMatchObject({
    type: "HoldfastError",
    code: "STORE_FULL",
    message: "The disk is full.",
    cause: { type: "TypeError", message: "inner" },
  });
  expect(logged.stack).toMatch(/^HoldfastError: The disk is full\.\n {4}at .*safe-error\.test/);
});

test("nothing of what was received is in it", () => {
  const errors: Record<string, unknown> = {
    json: thrownBy(() => JSON.parse(`{"env":{"TOKEN":"${secret}`) as unknown),
    node: thrownBy(() => accessSync(`/${secret}\0`)),
    argument: thrownBy(() => Buffer.from({ secret } as unknown as string)),
    zod: z.strictObject({}).safeParse({ [secret]: secret }).error,
    spawned: spawnSync("/nowhere/x", [secret]).error,
    failed: thrownBy(() => execFileSync("/bin/sh", ["-c", "exit 1", secret], { env: { TOKEN: secret } })),
    value: secret,
    ours: new HoldfastError("INVALID_ARGUMENT", `"${secret}" is no key`, { details: { secret } }),
    named: new HoldfastError("NAME_IN_USE", `belongs to p_1 (run ${secret})`),
    wrapped: new HoldfastError("INTERNAL", `failed: ${secret}`, { cause: new SyntaxError(secret) }),
    config: new HoldfastError("CONFIG_INVALID", `holdfast.yaml:2: x: "${secret}" cannot be used`, {
      details: { problems: [{ file: "holdfast.yaml", line: 2, key: "x", message: secret }] },
    }),
  };
  for (const [name, error] of Object.entries(errors)) {
    expect(error, name).toBeDefined();
    expect(JSON.stringify(safeError(error)), name).not.toContain(secret);
  }
  expect(safeError(errors["config"]).message).toContain("holdfast.yaml:2:x");
});

test("an endless chain of causes ends", () => {
  const error = new Error("round");
  error.cause = error;
  expect(JSON.stringify(safeError(error)).split("round").length).toBeLessThan(20);
});
