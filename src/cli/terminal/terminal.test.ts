import { describe, expect, test } from "vitest";
import { DetachKeys } from "./detach-keys.ts";
import { ScreenModes } from "./screen-modes.ts";
import { SecretKeys } from "./secret-prompt.ts";

function type(...chunks: string[]): { forward: string; detach: boolean } {
  const keys = new DetachKeys();
  let forward = "";
  for (const chunk of chunks) {
    const typed = keys.push(Buffer.from(chunk));
    forward += typed.forward.toString();
    if (typed.detach) return { forward, detach: true };
  }
  return { forward, detach: false };
}

describe("the keys that leave", () => {
  test("Ctrl-\\ d, at once or one after the other", () => {
    expect(type("ab\u001cd")).toEqual({ forward: "ab", detach: true });
    expect(type("ab", "\u001c", "d")).toEqual({ forward: "ab", detach: true });
  });

  test("also as newer keyboard protocols send them", () => {
    expect(type("\u001b[92;5u", "d")).toEqual({ forward: "", detach: true });
    expect(type("\u001b[27;5;92~", "\u001b[100u")).toEqual({ forward: "", detach: true });
  });

  test("Ctrl-\\ twice is one Ctrl-\\, and before any other key it is sent with it", () => {
    expect(type("\u001c", "\u001c", "d")).toEqual({ forward: "\u001cd", detach: false });
    expect(type("\u001c", "x")).toEqual({ forward: "\u001cx", detach: false });
  });

  test("everything else passes unchanged, character by character", () => {
    const text = "grün \u001b[A 日本\u0003\u0000d";
    expect(type(...Array.from(text))).toEqual({ forward: text, detach: false });
  });
});

describe("what a program has switched on", () => {
  function after(...chunks: string[]): ScreenModes {
    const modes = new ScreenModes();
    for (const chunk of chunks) modes.watch(Buffer.from(chunk));
    return modes;
  }

  test("is switched off when it is left, the screen last", () => {
    const modes = after("\u001b[?1049h\u001b[?25l\u001b[?1000;1006h\u001b[?2004h");
    expect(modes.isAlternateScreen).toBe(true);
    expect(modes.leave()).toBe("\u001b[?25h\u001b[?1000l\u001b[?1006l\u001b[?2004l\u001b[?1049l");
    expect(modes.enter()).toBe("\u001b[?1049h\u001b[?2004h\u001b[?1006h\u001b[?1000h\u001b[?25l");
  });

  test("nothing is touched after a program that cleaned up, or that switched nothing", () => {
    expect(after("hello\n").leave()).toBe("");
    expect(after("\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l").leave()).toBe("");
    expect(after("\u001b[?1049h\u001b=\u001b[>1u", "\u001bc").leave()).toBe("");
  });

  test("a sequence in two parts is seen once", () => {
    expect(after("text\u001b[?10", "49h").isAlternateScreen).toBe(true);
    expect(after("\u001b[>1u", "x", "y").leave()).toBe("\u001b[<u");
  });
});

describe("the keys of a secret", () => {
  const ask = (...chunks: string[]) => {
    const keys = new SecretKeys();
    return chunks.map((chunk) => keys.take(chunk)).find((line) => line !== undefined);
  };

  test("end with enter or Ctrl-D, and can be taken back one by one or all at once", () => {
    expect(ask("ab", "c\r")).toEqual({ kind: "typed", text: "abc" });
    expect(ask("pä😀\u007f\u007fx\u0004")).toEqual({ kind: "typed", text: "px" });
    expect(ask("wrong\u0015right\n", "more\n")).toEqual({ kind: "typed", text: "right" });
    expect(ask("\u007f\b\r")).toEqual({ kind: "typed", text: "" });
    expect(ask("not at its end")).toBeUndefined();
  });

  test("Ctrl-C gives up whatever was typed", () => {
    expect(ask("half", "\u0003\r")).toEqual({ kind: "interrupted" });
  });
});
