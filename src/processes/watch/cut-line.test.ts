import { expect, test } from "vitest";
import { createRedactor } from "../../redaction/index.ts";
import { cutLine } from "./cut-line.ts";

const redactor = createRedactor({ enabled: true });
const secret = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;

test("what fits stays as it is; what does not is cut, and says so", () => {
  expect(cutLine("short", 5, redactor)).toBe("short");
  expect(cutLine("longer", 5, redactor)).toBe("long…");
  expect(cutLine("\u{1f600}\u{1f600}\u{1f600}", 4, redactor)).toBe("\u{1f600}…");
});

test("a secret that the cut would go through is taken out before it", () => {
  for (let most = 20; most < 70; most++) {
    const cut = cutLine(`the token is ${secret} and more text after it`, most, redactor);
    expect(cut).not.toMatch(/ghp_a1/);
    expect(cut.length).toBeLessThanOrEqual(most);
  }
});

test("where the daemon was told to hide nothing, a line is cut as it is", () => {
  const raw = createRedactor({ enabled: false });
  expect(cutLine(`the token is ${secret}`, 40, raw)).toBe(`the token is ${secret.slice(0, 26)}…`);
});
