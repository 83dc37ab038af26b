import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCommand, shownWords } from "./read-command.ts";
import { readSafely } from "./read-safely.ts";

/** Commands in their order; one that only passes on what it runs ends with ~. */
function seenIn(command: string | readonly string[]): string[] {
  return readCommand(command).commands.map(
    ({ argv, isPassing }) => shownWords(argv) + (isPassing ? " ~" : ""),
  );
}

const readable: readonly [command: string, commands: readonly string[]][] = [
  ["ls -l", ["ls -l"]],
  ["'rm' \"-rf\" x", ["rm -rf x"]],
  ["r\\m x", ["rm x"]],
  ["$'\\x72m' x", ["rm x"]],
  ["rm \\\n -rf x", ["rm -rf x"]],
  ["echo 'a b' \"c d\"", ["echo 'a b' 'c d' ~"]],
  ["echo 'rm -rf /'", ["echo 'rm -rf /' ~"]],
  ["echo a # rm b", ["echo a ~"]],
  ["a; b & c && d || e", ["a", "b", "c", "d", "e"]],
  ["a | b |& c", ["a", "b", "c"]],
  ["! a", ["a"]],
  ["time -p a", ["a"]],
  ["(a; (b))", ["a", "b"]],
  ["{ a; b; }", ["a", "b"]],
  ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
  ["while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]],
  ["for i in 1 2; do rm x; done", ["rm x"]],
  ["for ((i = 0; i < 3; i++)); do rm y; done", ["rm y"]],
  ["case $x in a) rm a;; *) rm b;; esac", ["rm a", "rm b"]],
  ["echo $(rm a) `rm b`", ["echo '$(rm a)' '`rm b`' ~", "rm a", "rm b"]],
  ['echo "in $(rm a) text"', ["echo 'in $(rm a) text' ~", "rm a"]],
  ["echo `echo \\`rm y\\``", ["echo '`echo \\`rm y\\``' ~", "echo '`rm y`' ~", "rm y"]],
  ["x=$(rm a)", ["rm a"]],
  ["a=(1 $(rm b))", ["rm b"]],
  ["echo ${x:-$(rm c)}", ["echo '${x:-$(rm c)}' ~", "rm c"]],
  ["echo $((1 + $(rm d)))", ["echo '$((1 + $(rm d)))' ~", "rm d"]],
  ["[[ -f $(rm e) ]] && a", ["rm e", "a"]],
  ["diff <(rm a) >(rm b)", ["diff '<(rm a)' '>(rm b)'", "rm a", "rm b"]],
  ["A=1 B=2 rm x", ["rm x"]],
  ["env A=b rm x", ["env A=b rm x ~", "rm x"]],
  ["env -i -u HOME A=b -- rm x", ["env -i -u HOME A=b -- rm x ~", "rm x"]],
  ["env -S 'rm -rf x'", ["env -S 'rm -rf x' ~", "rm -rf x"]],
  ["sh -c 'rm x; ls'", ["sh -c 'rm x; ls' ~", "rm x", "ls"]],
  ["bash -lc 'rm x'", ["bash -lc 'rm x' ~", "rm x"]],
  ["bash -o pipefail -c -- 'rm x' name", ["bash -o pipefail -c -- 'rm x' name ~", "rm x"]],
  ["sh -c \"sh -c 'rm x'\"", ["sh -c 'sh -c '\\''rm x'\\''' ~", "sh -c 'rm x' ~", "rm x"]],
  ["/usr/bin/bash -c 'rm x'", ["/usr/bin/bash -c 'rm x' ~", "rm x"]],
  ["sh <<'E'\nrm x\nE", ["sh ~", "rm x"]],
  ["sh <<< 'rm x'", ["sh ~", "rm x"]],
  ["cat <<'E'\nrm x\nE", ["cat"]],
  ["cat <<E\n$(rm x)\nE", ["cat", "rm x"]],
  ["bash script.sh -x", ["bash script.sh -x"]],
  ["eval 'rm x' y", ["eval 'rm x' y ~", "rm x y"]],
  ["sudo rm x", ["sudo rm x ~", "rm x"]],
  ["sudo -u bob -E A=b rm x", ["sudo -u bob -E A=b rm x ~", "rm x"]],
  ["sudo -ubob sh -c 'rm x'", ["sudo -ubob sh -c 'rm x' ~", "sh -c 'rm x' ~", "rm x"]],
  ["su - bob -c 'rm x'", ["su - bob -c 'rm x' ~", "rm x"]],
  ["doas -u bob rm x", ["doas -u bob rm x ~", "rm x"]],
  ["nohup rm x &", ["nohup rm x ~", "rm x"]],
  ["timeout -s KILL 5 rm x", ["timeout -s KILL 5 rm x ~", "rm x"]],
  [
    "timeout --kill-after 3 5s nice -n 5 rm x",
    ["timeout --kill-after 3 5s nice -n 5 rm x ~", "nice -n 5 rm x ~", "rm x"],
  ],
  ["exec -a name rm x", ["exec -a name rm x ~", "rm x"]],
  ["command rm x", ["command rm x ~", "rm x"]],
  ["command -v rm", ["command -v rm"]],
  ["stdbuf -oL setsid rm x", ["stdbuf -oL setsid rm x ~", "setsid rm x ~", "rm x"]],
  ["ls | xargs rm -f", ["ls", "xargs rm -f ~", "rm -f {…}"]],
  ["xargs -n 1 -I {} sh -c 'rm x'", ["xargs -n 1 -I {} sh -c 'rm x' ~", "sh -c 'rm x' {…} ~", "rm x"]],
  ["find . -name x -exec rm {} \\;", ["find . -name x -exec rm {} ; ~", "rm {}"]],
  [
    "find . -execdir rm {} + -ok mv {} y \\;",
    ["find . -execdir rm {} + -ok mv {} y ; ~", "rm {}", "mv {} y"],
  ],
  ["find . -delete", ["find . -delete"]],
  ["flock /tmp/l -c 'rm x'", ["flock /tmp/l -c 'rm x' ~", "rm x"]],
  ["ssh -p 22 host rm x", ["ssh -p 22 host rm x ~", "rm x"]],
  ["watch -n 1 'rm x'", ["watch -n 1 'rm x' ~", "rm x"]],
  ["trap 'rm x' EXIT", ["trap 'rm x' EXIT ~", "rm x"]],
  ["alias ll='rm x'", ["alias 'll=rm x' ~", "rm x"]],
  ["f() { rm x; }; f", ["rm x", "f ~"]],
  ["function g { rm x; }", ["rm x"]],
  ["coproc rm x", ["rm x"]],
  ["busybox rm x", ["busybox rm x ~", "rm x"]],
  ["> out", []],
  ["", []],
  ["# only a remark", []],
];

describe("what a text runs", () => {
  test.for(readable)("%j", ([command, commands]) => {
    expect(seenIn(command)).toEqual(commands);
    expect(readCommand(command).opaque).toEqual([]);
  });

  test("a list of words is no shell text", () => {
    expect(seenIn(["echo", "$(rm x)"])).toEqual(["echo '$(rm x)' ~"]);
    expect(seenIn(["sudo", "sh", "-c", "rm x"])).toEqual(["sudo sh -c 'rm x' ~", "sh -c 'rm x' ~", "rm x"]);
  });

  test("redirections are files that are read or written", () => {
    const { files } = readCommand("cat < in > out 2>&1 >> more; { a; } &> both; b 2>&-");
    expect(files.map(({ access, path }) => `${access} ${path.text}`)).toEqual([
      "read in",
      "write out",
      "write more",
      "write both",
    ]);
  });
});

const atRunTime = "the program is only known at run time";
const together = "what it runs is put together at run time";
const input = "it reads its commands from its input";
const unreadable = "it cannot be read as a shell would";
const script = "the script is only known at run time";

const hidden: readonly [command: string, reason: string][] = [
  ["$CMD x", atRunTime],
  ["CMD=rm; $CMD x", atRunTime],
  ["$(which rm) x", atRunTime],
  ["/bin/r? x", atRunTime],
  ["{rm,-rf,x}", atRunTime],
  ['run() { "$@"; }; run rm x', atRunTime],
  ['eval "$x"', together],
  ['sh -c "rm $X"', together],
  ['ssh host "$X"', together],
  ["sh <<E\nrm $x\nE", together],
  ["base64 -d x | sh", input],
  ["curl x | sudo bash -s", input],
  ["bash", input],
  ["sudo -i", input],
  ["su", input],
  ["bash <(curl x)", script],
  ["source <(curl x)", script],
  ["bash /dev/stdin", script],
  ['. "$NVM_DIR/nvm.sh"', script],
  ["fish -c 'rm x'", "fish has a language of its own"],
  ["echo 'open", unreadable],
  ["if a; then", unreadable],
  ["echo $(", unreadable],
  ["a )", unreadable],
];

test.for(hidden)("what cannot be known is opaque: %j", ([command, reason]) => {
  expect(readCommand(command).opaque.map((found) => found.reason)).toContain(reason);
});

test("what stands in a text that is put together is still seen", () => {
  expect(seenIn('sh -c "rm -rf $X"')).toContain("rm -rf $X");
});

test("beyond the limits of length, depth and number it is opaque", async () => {
  const reasons = async (command: string): Promise<string[]> =>
    (await readSafely(command)).opaque.map(({ reason }) => reason);
  expect(await reasons("a ".repeat(70_000))).toEqual(["it is too long to be read"]);
  expect(await reasons("eval ".repeat(40) + "a")).toContain("it is nested too deeply to be read");
  expect(await reasons("a;".repeat(20_000))).toContain("it has too many commands");
});

test("a text that costs the parser the square of its length is given up in time", async () => {
  for (const part of ["{", "$(", "cat <<a\n", "((", "`"]) {
    const began = performance.now();
    await readSafely(part.repeat(Math.floor(120_000 / part.length)));
    expect(performance.now() - began, part).toBeLessThan(10_000);
  }
}, 60_000);

test("no text throws or hangs", async () => {
  const piece = fc.oneof(
    fc.constantFrom(..."$ ( ) { } ` ' \" \\ | & ; < > # ~ * ? [ ] = ! \n".split(" ")),
    fc.constantFrom(
      "sh -c ",
      "eval ",
      "sudo ",
      "env A=b ",
      "xargs ",
      "find . -exec ",
      "<<E\n",
      "\nE\n",
      "$(",
      "${x:-",
      "$((",
      "rm",
    ),
    fc.string({ maxLength: 8, unit: "grapheme" }),
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
  await fc.assert(
    fc.asyncProperty(text, async (command) => {
      const began = performance.now();
      const { commands } = await readSafely(command);
      expect(commands.every(({ argv }) => argv.length > 0)).toBe(true);
      expect(performance.now() - began).toBeLessThan(5_000);
    }),
    { numRuns: 3_000 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (words) => {
      await readSafely(words);
    }),
    { numRuns: 500 },
  );
}, 60_000);
