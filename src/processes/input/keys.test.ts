import { expect, test } from "vitest";
import { encodeKey, encodePaste, keyNames } from "./keys.ts";
import { modesIn } from "./terminal-modes.ts";

const normal = { applicationCursor: false, bracketedPaste: false };
const application = { applicationCursor: true, bracketedPaste: true };

test.each([
  ["enter", "\r"],
  ["up", "\u001b[A"],
  ["ctrl-c", "\u0003"],
  ["Ctrl+C", "\u0003"],
  ["C-c", "\u0003"],
  ["escape", "\u001b"],
  ["alt-x", "\u001bx"],
  ["ctrl-up", "\u001b[1;5A"],
  ["shift-tab", "\u001b[Z"],
  ["f1", "\u001bOP"],
  ["f5", "\u001b[15~"],
  ["page_up", "\u001b[5~"],
  ["delete", "\u001b[3~"],
  ["ctrl-space", "\u0000"],
  ["ctrl-\\", "\u001c"],
  ["backspace", "\u007f"],
  ["-", "-"],
  ["q", "q"],
])("the key %s", (name, expected) => {
  expect(encodeKey(name, normal)).toBe(expected);
});

test("arrows follow the cursor mode, and every named key has an encoding", () => {
  expect(encodeKey("up", application)).toBe("\u001bOA");
  for (const name of keyNames) expect(encodeKey(name, normal).length).toBeGreaterThan(0);
});

test("an unknown key is a coded error that lists the known ones", () => {
  expect(() => encodeKey("ctrl--", normal)).toThrow(/no key/);
  expect(() => encodeKey("hyper-q", normal)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  expect(() => encodeKey("nosuchkey", normal)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("pageup") as string }),
  );
});

test("what every object has is no key", () => {
  for (const name of ["constructor", "toString", "__proto__", "constructor-a"])
    expect(() => encodeKey(name, normal)).toThrow(`There is no key "${name}".`);
});

test("a paste is bracketed when asked for, and cannot close its own bracket", () => {
  expect(encodePaste("a\nb", normal)).toBe("a\rb");
  expect(encodePaste("a\u001b[201~b", application)).toBe("\u001b[200~a[201~b\u001b[201~");
  expect(encodePaste("a\u001b[20\u001b[201~1~b", application)).toBe("\u001b[200~a[20[201~1~b\u001b[201~");
  expect(encodePaste("a\u009b201~b", application)).toBe("\u001b[200~a201~b\u001b[201~");
});

test("the newest setting of a mode counts, a reset clears all", () => {
  expect(modesIn("\u001b[?1h..\u001b[?2004h")).toEqual({ cursor: true, paste: true });
  expect(modesIn("\u001b[?1;2004h..\u001b[?1l")).toEqual({ cursor: false, paste: true });
  expect(modesIn("\u001b[?1h\u001bc")).toEqual({ cursor: false, paste: false });
  expect(modesIn("nothing")).toEqual({ cursor: undefined, paste: undefined });
});
