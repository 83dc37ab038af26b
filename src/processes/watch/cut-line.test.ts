import { expect, test } from "vitest";
import { cutLine } from "./cut-line.ts";

test("what fits stays as it is; what does not is cut, and says so", () => {
  expect(cutLine("short", 5)).toBe("short");
  expect(cutLine("longer", 5)).toBe("long…");
  expect(cutLine("\u{1f600}\u{1f600}\u{1f600}", 4)).toBe("\u{1f600}…");
});

test("a secret that the cut would go through is taken out before it", () => {
  const secret = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;
  for (let most = 20; most < 70; most++) {
    const cut = cutLine(`the token is ${secret} and more text after it`, most);
    expect(cut).not.toMatch(/ghp_a1/);
    expect(cut.length).toBeLessThanOrEqual(most);
  }
});
