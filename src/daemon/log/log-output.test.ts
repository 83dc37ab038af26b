import { existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LogOutput } from "./log-output.ts";

function newOutput(): {
  output: LogOutput;
  shown: string[];
  recovered: number[];
  directory: string;
  path: string;
} {
  const directory = join(mkdtempSync(join(homedir(), "log-")), "home");
  const shown: string[] = [];
  const recovered: number[] = [];
  const output = new LogOutput({
    errorOutput: { show: (line) => void shown.push(line) },
    onRecovered: (lost) => void recovered.push(lost),
  });
  return { output, shown, recovered, directory, path: join(directory, "daemon.log") };
}

test("nothing is in the file before the home is ours; then all of it is, in order", () => {
  const { output, shown, directory, path } = newOutput();
  mkdirSync(directory);
  output.write("1\n");
  output.write("2\n");
  expect(existsSync(path)).toBe(false);
  output.begin({ path, files: 2, fileBytes: 100 });
  output.write("3\n");
  expect(readFileSync(path, "utf8")).toBe("1\n2\n3\n");
  expect(shown).toEqual(["1\n", "2\n", "3\n"]);
  output.end();
  output.write("4\n");
  expect(readFileSync(path, "utf8")).toBe("1\n2\n3\n");
});

test("while the file takes nothing, the newest lines wait, and how many were lost is told", () => {
  const { output, recovered, directory, path } = newOutput();
  const options = { path, files: 2, fileBytes: 1_000_000 };
  output.begin(options);
  const lines = Array.from({ length: 300 }, (_, number) => `${String(number).padStart(999, "0")}\n`);
  for (const line of lines) output.write(line);
  expect(output.problems).toEqual([expect.stringMatching(/^The log cannot be written: ENOENT/)]);
  mkdirSync(directory);
  output.begin(options);
  const kept = readFileSync(path, "utf8");
  expect(kept.length).toBeLessThanOrEqual(262_144);
  expect(kept).toBe(lines.slice(300 - kept.length / 1_000).join(""));
  expect(recovered).toEqual([300 - kept.length / 1_000]);
  expect(output.problems).toEqual([]);
  output.end();
});
