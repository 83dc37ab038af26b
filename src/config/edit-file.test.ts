import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { editConfigText } from "./edit-file.ts";

const text = `# My Holdfast.

# How much is kept.
output:
  headBytes: 5000 # the start
  # the newest
  tailBytes: 70000

log: {level: info, files: 3}

# The end.
`;

describe("setting", () => {
  test("changes one value and no other byte", () => {
    expect(editConfigText(text, ["output", "headBytes"], 6_000)).toBe(text.replace("5000", "6000"));
    expect(editConfigText(text, ["output", "tailBytes"], 5)).toBe(text.replace("70000", "5"));
    expect(editConfigText(text, ["log", "level"], "warn")).toBe(text.replace("info", "warn"));
  });

  test("adds a key to its group, and a group to the file", () => {
    expect(editConfigText(text, ["log", "fileBytes"], 9)).toBe(
      text.replace("files: 3", "files: 3, fileBytes: 9"),
    );
    const added = editConfigText(text, ["stop", "graceMs"], 9) ?? "";
    expect(parse(added)).toEqual({ ...(parse(text) as object), stop: { graceMs: 9 } });
    for (const comment of [
      "# My Holdfast.",
      "# How much is kept.",
      "# the start",
      "# the newest",
      "# The end.",
    ]) {
      expect(added).toContain(comment);
    }
  });

  test("begins a file that is empty, or has comments only", () => {
    expect(editConfigText("", ["stop", "graceMs"], 9)).toBe("stop:\n  graceMs: 9\n");
    expect(editConfigText("", ["profile"], "7")).toBe('profile: "7"\n');
    expect(editConfigText("# Mine.\n", ["profile"], "a")).toBe("# Mine.\n\nprofile: a\n");
    expect(editConfigText("~\n", ["profile"], "a")).toBe("profile: a\n");
  });

  test("fills a group of which everything is commented out", () => {
    const edited = editConfigText("stop: # soon\n  # graceMs: 5\nprofile: a\n", ["stop", "graceMs"], 9) ?? "";
    expect(parse(edited)).toEqual({ stop: { graceMs: 9 }, profile: "a" });
    expect(edited).toContain("# soon");
    expect(edited).toContain("# graceMs: 5");
    expect(editConfigText("stop: {}\n", ["stop", "graceMs"], 9)).toBe("stop:\n  graceMs: 9\n");
  });

  test("keeps the width of the indentation, long lines and line ends", () => {
    const wide = `stop:\n    graceMs: 5\nshell:\n    program: /${"a b".repeat(60)}\n`;
    expect(editConfigText(wide, ["stop", "graceMs"], 9)).toBe(wide.replace("5", "9"));
    expect(editConfigText("stop:\r\n  graceMs: 5\r\n", ["stop", "graceMs"], 9)).toBe(
      "stop:\r\n  graceMs: 9\r\n",
    );
  });

  test("leaves alone what is no mapping, has faults, or is an alias", () => {
    expect(editConfigText("- a\n", ["profile"], "a")).toBeUndefined();
    expect(editConfigText("a: [\n", ["profile"], "a")).toBeUndefined();
    expect(editConfigText("start: &s\n  timeoutMs: 5\nstop: *s\n", ["stop", "graceMs"], 9)).toBeUndefined();
  });
});

describe("taking out", () => {
  test("removes the key with the comment on its line, and keeps those above", () => {
    const edited = editConfigText(text, ["output", "tailBytes"], null) ?? "";
    expect(parse(edited)).toEqual({ output: { headBytes: 5_000 }, log: { level: "info", files: 3 } });
    expect(edited).toContain("# the newest");
    const head = editConfigText("# Title\nprofile: a # mine\nlog:\n  files: 3\n", ["profile"], null);
    expect(head).toBe("# Title\nlog:\n  files: 3\n");
  });

  test("removes a group that has nothing left, and leaves a file of comments", () => {
    expect(editConfigText("stop:\n  graceMs: 5\nprofile: a\n", ["stop", "graceMs"], null)).toBe(
      "profile: a\n",
    );
    expect(
      parse(editConfigText("# Mine.\n\nstop:\n  graceMs: 5\n", ["stop", "graceMs"], null) ?? "?"),
    ).toBeNull();
    expect(editConfigText("# Mine.\n\nstop:\n  graceMs: 5\n", ["stop", "graceMs"], null)).toContain(
      "# Mine.",
    );
  });

  test("of what is not there changes nothing", () => {
    expect(editConfigText(text, ["stop", "graceMs"], null)).toBe(text);
    expect(editConfigText(text, ["output", "graceMs"], null)).toBe(text);
    expect(editConfigText("", ["profile"], null)).toBe("");
  });
});
