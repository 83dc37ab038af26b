import { Command, Option } from "commander";
import { expect, test } from "vitest";
import { keepOperands } from "./optional-value.ts";

function parse(...args: string[]): unknown {
  const command = new Command()
    .argument("[command...]")
    .passThroughOptions()
    .option("-d, --detach")
    .option("--name <name>")
    .addOption(new Option("--notify [when]").choices(["end", "failure"]).preset("end"));
  keepOperands(command).parse(args, { from: "user" });
  return [command.opts(), command.args];
}

test("the word after an option whose value may be left out is its value only if it can be", () => {
  expect(parse("-d", "--notify", "make", "-j4")).toEqual([{ detach: true, notify: "end" }, ["make", "-j4"]]);
  expect(parse("--notify", "failure", "make")).toEqual([{ notify: "failure" }, ["make"]]);
  expect(parse("--notify=failure", "--name", "--notify", "make")).toEqual([
    { notify: "failure", name: "--notify" },
    ["make"],
  ]);
  expect(parse("--notify", "--", "end")).toEqual([{ notify: "end" }, ["end"]]);
  expect(parse("make", "--notify", "x")).toEqual([{}, ["make", "--notify", "x"]]);
  expect(parse("--notify")).toEqual([{ notify: "end" }, []]);
});
