// `send --secret`: asked for without showing it, or read from a pipe; never an argument.
import { expect, test } from "vitest";
import type { InputWait, ProcessDetail } from "../../src/protocol/process.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { openCliTerminal } from "../support/cli-terminal.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { filesHolding } from "../support/files-holding.ts";
import { openKeeperHome } from "../support/keeper-home.ts";
import { bashPrompt, heard, newSecret } from "../support/secrets.ts";
import { testDirectory } from "../support/test-home.ts";

async function waitsFor(cli: CliHome, id: string, waits: InputWait["waits"]): Promise<void> {
  const look = async (): Promise<string> =>
    (await cli.json<ProcessDetail>(["show", id, "--json"])).inputWait.waits;
  await expect.poll(look, { timeout: 20_000 }).toBe(waits);
}

test("the command line asks for it without showing it, and types exactly what was typed", async () => {
  const secret = newSecret();
  const [cli, keeper] = [openCliHome(), await openKeeperHome()];
  const program = compileFixture("ask_password");
  const id = await cli.background("--pty", "--", program);
  await waitsFor(cli, id, "password");
  const terminal = await openCliTerminal(keeper, cli, ["send", id, "--secret", "--enter"]);
  await terminal.shows("Secret (not shown): ");
  await terminal.type(`wrong\u0015${secret}x\u007f\r`);
  expect((await terminal.ended).exit).toEqual({ kind: "exited", code: 0 });
  expect(await terminal.text()).toBe("Secret (not shown): \r\n");
  const { code } = await cli.run(["wait", id, "--for", `log:${heard(secret)}`, "--timeout", "10s"]);
  expect(code).toBe(0);
  const given = await openCliTerminal(keeper, cli, ["send", id, "--secret"]);
  await given.shows("Secret (not shown): ");
  await given.type(`${secret}\u0003`);
  expect((await given.ended).exit).toMatchObject({ kind: "signaled", signal: 2 });
  expect((await cli.run(["logs", id, "--raw"])).stdout).not.toContain(secret);
});

test("the command line reads it from a pipe, without the newline of the pipe, and takes none as an argument", async () => {
  const secret = newSecret();
  const cli = openCliHome();
  const id = await cli.background("--pty", "--", ...bashPrompt);
  await waitsFor(cli, id, "password");
  const argument = await cli.run(["send", id, "not-secret-enough", "--secret"]);
  expect(argument).toMatchObject({ code: 2, stdout: "" });
  expect(argument.stderr).toMatch(/not given as an argument.*INVALID_ARGUMENT/);
  expect(argument.stderr).not.toContain("not-secret-enough");
  expect(await cli.run(["send", id, "--secret"], { input: "\n" })).toMatchObject({ code: 2 });
  expect(await cli.run(["send", id, "--secret", "--enter"], { input: `${secret}\n` })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "",
  });
  const length = Buffer.byteLength(secret); // without a locale bash counts bytes
  expect(await cli.run(["wait", id, "--for", `log:length ${length}`, "--timeout", "10s"])).toMatchObject({
    code: 0,
  });
  await waitsFor(cli, id, "yes");
  const shown = await cli.run(["send", id, "--secret", "--enter"], { input: secret });
  expect(shown).toMatchObject({ code: 6 });
  expect(shown.stderr).toContain("ECHO_ON");
  expect(
    await cli.run(["send", id, "-", "--secret", "--force"], { input: "shown on purpose" }),
  ).toMatchObject({
    code: 0,
  });
  const shows = async (): Promise<string> => (await cli.run(["logs", id])).stdout;
  await expect.poll(shows, { timeout: 20_000 }).toContain("shown on purpose");
  // What is shown is in the log: the search that finds nothing of the secret can find something.
  expect(filesHolding(testDirectory(), "shown on purpose")).not.toBe("");
});
