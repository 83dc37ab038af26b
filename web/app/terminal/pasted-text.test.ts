import { expect, test } from "vitest";
import { pastedText } from "~/terminal/pasted-text.ts";

test("what would end a bracketed paste or press a key is taken out; text, tabs and line ends stay", () => {
  expect(pastedText("a\u001b[201~rm\u0003\u0000 -rf\r\n\tü😀\u009b201~\u007f")).toBe(
    "a[201~rm -rf\r\n\tü😀201~",
  );
});
