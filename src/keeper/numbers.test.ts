// The numbers are written three times: in the contract, in C and here. This holds the page against this side.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  contractVersion,
  errorCodeOf,
  frameType,
  startStageOf,
  startStages,
  stopReasons,
} from "./numbers.ts";

const contract = readFileSync(join(import.meta.dirname, "../../keeper/CONTRACT.md"), "utf8");

function numbersOf(title: string): Array<[number, string]> {
  const text = new RegExp(`${title}: ([^.]+)\\.`).exec(contract)?.[1] ?? "";
  return [...text.matchAll(/(\d+) ([A-Za-z_]+)/g)].map((match) => [Number(match[1]), match[2] ?? ""]);
}

describe("the numbers of the contract", () => {
  test("version", () => {
    expect(contract).toContain(`Contract version: **${contractVersion.major}.${contractVersion.minor}**`);
  });

  test("start stages", () => {
    expect(numbersOf("Start stages")).toEqual(
      Object.entries(startStages).map(([name, number]) => [number, name]),
    );
    expect(startStageOf(10)).toBe("cwd");
    expect(startStageOf(99)).toBeUndefined();
  });

  test("stop reasons", () => {
    expect(numbersOf("Stop reasons")).toEqual(
      Object.entries(stopReasons).map(([name, number]) => [number, name]),
    );
  });

  test("error codes become codes of the registry, most of them by the same name", () => {
    const codes = numbersOf("Error codes");
    expect(codes.length).toBeGreaterThanOrEqual(15);
    const renamed = codes.filter(([number, name]) => errorCodeOf(number) !== name);
    expect(renamed.map(([number, name]) => `${name} ${errorCodeOf(number)}`)).toEqual([
      "MALFORMED INVALID_ARGUMENT",
      "UNSUPPORTED CONTRACT_MISMATCH",
      "ENDED PROCESS_ENDED",
      "SYSTEM SYSTEM_ERROR",
      "CLAIMED RUN_CLAIMED",
      "NOT_FOUND RUN_NOT_FOUND",
      "TOO_LARGE REQUEST_TOO_LARGE",
      "EXPIRED START_TIMEOUT",
    ]);
    expect(errorCodeOf(999)).toBe("INTERNAL");
  });

  test("frame types", () => {
    const rows = [...contract.matchAll(/^\| 0x([0-9a-f]{2}) \| ([A-Z_]+) \|/gm)];
    const listed = new Map(rows.map((row) => [row[2] ?? "", Number.parseInt(row[1] ?? "", 16)]));
    expect(listed.size).toBeGreaterThanOrEqual(25);
    // STATE is asked and answered by one name; the last row of the page is the answer.
    listed.set("ASK_STATE", 0x02);
    const ours = Object.entries(frameType).map(([name, number]) => {
      return [name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(), number] as const;
    });
    expect(ours.filter(([name, number]) => listed.get(name) !== number)).toEqual([]);
  });
});
