import { expect, test } from "vitest";
import { backgroundHint } from "./background-hint.ts";

test.each([
  "sleep 60 &",
  "nohup make",
  "cd x && nohup npm start",
  "a & b",
  "(setsid x)",
  "server & echo started",
  "x; disown",
])("%j hides a process: a hint", (command) => {
  expect(backgroundHint(command)).toContain("background: true");
});

test.each([
  "make && make test",
  "make 2>&1",
  "make &> log",
  "make |& tee log",
  "cmd <&3",
  "echo 'a & b'",
  'grep "x &" f',
  String.raw`echo a\&b`,
  "man nohup",
  "nohup --help",
  "ls # a & b",
])("%j hides none", (command) => {
  expect(backgroundHint(command)).toBeUndefined();
});
