// Commands that need a daemon while there is none, while one goes, and while one comes.
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { readPresence } from "../../src/home/index.ts";
import type { ProcessView } from "../../src/protocol/process.ts";
import { buildPackage } from "../support/built-package.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { chosenSeed, seededRandom } from "../support/seeded-random.ts";
import { newTestHome } from "../support/test-home.ts";

const built = buildPackage();
const seed = chosenSeed();
const random = seededRandom(seed);

function commandLine(): CliHome {
  return openCliHome(newTestHome(), built.cli);
}

test("twenty commands at once on a home without a daemon: one daemon, and all succeed", async () => {
  const cli = commandLine();
  const numbers = Array.from({ length: 20 }, (_none, index) => index);
  const answers = await Promise.all(
    numbers.map((index) => cli.run(["run", "--", "sh", "-c", `echo ${index}; exit ${index}`])),
  );
  expect(answers.map(({ code, stdout, stderr }) => ({ code, stdout, stderr }))).toEqual(
    numbers.map((index) => ({ code: index, stdout: `${index}\n`, stderr: "" })),
  );
  const processes = await cli.json<ProcessView[]>(["ps", "-a", "--json"]);
  expect(processes).toHaveLength(20);
  expect(readPresence(cli.home)).toMatchObject({ state: "running", status: { previousEnd: null } });
});

test("starts while a daemon goes, at any moment of its going: each is carried out once", async () => {
  const cli = commandLine();
  const longestMs = 250;
  const rounds = 12;
  for (let round = 0; round < rounds; round++) {
    const stopping = cli.run(["daemon", "stop", "--json"]);
    await delay(random() * longestMs); // the moment of the start is the test's input, not a wait
    const name = `round-${round}`;
    const answer = await cli.run(["run", "--name", name, "--", "sh", "-c", "echo once"]);
    expect(answer, `seed ${seed}, round ${round}: ${answer.stderr}`).toMatchObject({
      code: 0,
      stdout: "once\n",
    });
    const stopped = await stopping;
    expect(stopped, `seed ${seed}, round ${round}: ${stopped.stderr}`).toMatchObject({ code: 0 });
  }
  const processes = await cli.json<ProcessView[]>(["ps", "-a", "--json"]);
  const names = processes.map(({ name }) => String(name)).toSorted();
  expect(names).toEqual(Array.from({ length: rounds }, (_none, round) => `round-${round}`).toSorted());
});

test("starts, stops and restarts all at once: every command ends as it should, and one daemon is left", async () => {
  const cli = commandLine();
  const words = [
    ["daemon", "stop"],
    ["daemon", "restart"],
    ["daemon", "start"],
    ["run", "--", "true"],
    ["ps", "-q"],
  ];
  const commands = Array.from({ length: 15 }, (_none, index) => words[index % words.length] ?? []);
  const answers = await Promise.all(
    commands.map(async (args) => {
      await delay(random() * 1_000); // as above
      return { args, answer: await cli.run(args) };
    }),
  );
  for (const { args, answer } of answers)
    expect(answer, `seed ${seed}, ${args.join(" ")}: ${answer.stderr}`).toMatchObject({ code: 0 });
  expect(await cli.run(["daemon", "start"])).toMatchObject({ code: 0 });
  expect(readPresence(cli.home)).toMatchObject({ state: "running", detail: "running" });
});
