import { expect, test } from "vitest";
import { loadConfig } from "./load-config.ts";

function problemsOf(sinks: unknown): string[] {
  const environment = { HOLDFAST_SINKS: JSON.stringify(sinks) };
  return loadConfig({ home: "/nowhere", environment }).problems.map(({ message }) => message);
}

test("a sink is a webhook with its secrets or a command, under a name of its own", () => {
  const webhook = { kind: "webhook", url: "https://example.com/", secretFiles: ["/etc/secret"] };
  const command = { kind: "command", command: ["true"] };
  expect(problemsOf({ hook: webhook, resume: command })).toEqual([]);
  for (const [wrong, told] of [
    [{ desktop: command }, "desktop is the name of the sink that is always there"],
    [{ "a b": command }, "a b"],
    [{ hook: { ...webhook, secretFiles: [] } }, "secretFiles"],
    [{ hook: { ...webhook, secretFiles: ["secret"] } }, "an absolute path"],
    [{ hook: { ...webhook, url: "ftp://example.com/" } }, "url"],
    [{ resume: { ...command, colour: "green" } }, "colour"],
    [{ resume: { kind: "mail" } }, "kind"],
  ] as const)
    expect(problemsOf(wrong).join("; "), JSON.stringify(wrong)).toContain(told);
});
