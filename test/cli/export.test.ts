// The whole kept output as a file: by the command line and by the API, the same.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import xterm from "@xterm/headless";
import { expect, test } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";
import { newTestHome } from "../support/test-home.ts";
import { unixFetch } from "../support/unix-fetch.ts";

const program = String.raw`printf 'h\303\251llo \033[31mred\033[0m\r\n'; printf '\360\237'; printf '\231\202\n'; exit 3`;

test("a recording, the bytes and the plain text of an ended terminal", async () => {
  const cli = openCliHome();
  await cli.run(["daemon", "start"]);
  const client = await connectedClient({ home: cli.home });
  const { id } = await client.process.start({
    command: program,
    cwd: "/",
    mode: "pty",
    columns: 90,
    rows: 20,
  });
  await client.process.wait({ ids: [id] });
  const directory = newTestHome();
  const file = join(directory, "out.cast");

  const told = await cli.run(["export", id, "--output", file, "--json"]);
  const cast = readFileSync(file, "utf8");
  expect(JSON.parse(told.stdout)).toEqual({ id, format: "asciicast", file, bytes: Buffer.byteLength(cast) });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [header, ...events] = cast
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(header).toMatchObject({ version: 3, term: { cols: 90, rows: 20 }, command: program });
  const read = events as [number, string, string][];
  expect(read.filter(([, code]) => code === "x")).toEqual([[expect.any(Number), "x", "3"]]);
  const text = read.flatMap(([, code, data]) => (code === "o" ? [data] : [])).join("");
  expect(text).toBe("héllo \u001B[31mred\u001B[0m\r\r\n🙂\r\n");

  const raw = await cli.run(["export", id, "--format", "raw"]);
  expect(raw.stdout).toBe(text);
  const plain = await cli.run(["export", id, "--format", "plain"]);
  expect(plain.stdout).toBe("héllo red\n🙂\n");
  const again = await cli.run(["export", id, "--output", file]);
  expect(again).toMatchObject({ code: 2, stdout: "" });
  expect(again.stderr).toContain("Name a file that is not there yet");

  const socketPath = join(cli.home, "daemon.sock");
  const address = `http://holdfast/v1/process.output/file?id=${id}&format=asciicast`;
  const served = await unixFetch(socketPath)(address);
  expect([served.status, await served.text()]).toEqual([200, cast]);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    "content-type": "application/x-asciicast",
    "content-disposition": `attachment; filename="${id}.cast"`,
  });
});

test("a recording with a hole and a resize, played, ends with the screen of the program", async () => {
  const cli = openCliHome();
  await cli.run(["daemon", "start"]);
  const client = await connectedClient({ home: cli.home });
  const limits = { headBytes: 65_536, tailBytes: 65_536 };
  const command = "seq 1 200000; read line; seq 7 9";
  const { id } = await client.process.start({
    command,
    cwd: "/",
    mode: "pty",
    columns: 80,
    rows: 24,
    limits,
  });
  await client.process.wait({ ids: [id], for: { kind: "match", text: "200000" } });
  // Whoever draws it has been overtaken, and asks for it to be painted anew: by a size that is recorded as well.
  await client.process.screen({ id });
  await client.process.resize({ id, columns: 60, rows: 10 });
  await client.process.write({ id, parts: [{ key: "enter" }] });
  await client.process.wait({ ids: [id] });
  const { stdout } = await cli.run(["export", id]);
  const events = stdout
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as [number, string, string]);
  expect(events.filter(([, code]) => code === "m")).toEqual([
    [0, "m", expect.stringMatching(/^\d+ bytes were not kept$/)],
  ]);
  const terminal = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  for (const [, code, data] of events) {
    if (code === "o") await new Promise<void>((resolve) => terminal.write(data, resolve));
    const [columns = 0, rows = 0] = code === "r" ? data.split("x").map(Number) : [];
    if (code === "r") terminal.resize(columns, rows);
  }
  const { active } = terminal.buffer;
  const lines = Array.from({ length: 10 }, (_, row) =>
    active.getLine(active.viewportY + row)?.translateToString(true),
  );
  expect([terminal.cols, terminal.rows]).toEqual([60, 10]);
  expect(lines.slice(4, 9)).toEqual(["200000", "", "7", "8", "9"]);
  terminal.dispose();
});
