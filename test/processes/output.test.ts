import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectedClient, wholeText } from "../support/connected-client.ts";
import { ask, refused, runToEnd } from "../support/daemon-calls.ts";
import { sharedDaemonHome } from "../support/daemon-home.ts";
import { testDirectory } from "../support/test-home.ts";

const shared = await sharedDaemonHome();

test("output is read by offset, by line, from the end and page by page, always with the next cursor", async () => {
  const daemon = shared;
  const id = await runToEnd(daemon, "for i in $(seq 1 1000); do echo line $i; done");
  const whole = (await ask(daemon, "process.output", { id })).text ?? "";
  expect(whole.split("\n")).toHaveLength(1001);
  let paged = "";
  let from = 0;
  for (let complete = false; !complete;) {
    const page = await ask(daemon, "process.output", { id, from, limitBytes: 700 });
    paged += page.text;
    expect(page.next).toBeGreaterThan(from);
    ({ next: from, complete } = page);
  }
  expect(paged).toBe(whole);
  expect((await ask(daemon, "process.output", { id, line: 500, limitLines: 2 })).text).toBe(
    "line 500\nline 501\n",
  );
  const tail = await ask(daemon, "process.output", { id, tailLines: 3 });
  expect(tail).toMatchObject({ text: "line 998\nline 999\nline 1000\n", complete: true });
  const before = await ask(daemon, "process.output", { id, tailLines: 2, before: tail.from });
  expect(before).toMatchObject({ text: "line 996\nline 997\n", next: tail.from });
  const bounded = await ask(daemon, "process.output", { id, head: 14, tail: 10 });
  expect(bounded.text).toMatch(
    /^line 1\nline 2\n\n\[… \d+ bytes left out: offsets 14 to \d+ …\]\nline 1000\n$/,
  );
});

test("streams are told apart, with the time of each piece; raw is byte-exact, plain is readable", async () => {
  const daemon = shared;
  const id = await runToEnd(
    daemon,
    "printf 'out1\\n'; printf 'err1\\n' >&2; printf '\\033[31mred\\033[0m 10%%\\r100%%\\n'; printf '\\377\\000end'",
  );
  expect((await ask(daemon, "process.output", { id, stream: "stderr" })).text).toBe("err1\n");
  expect((await ask(daemon, "process.output", { id, stream: "stdout" })).text).toBe(
    "out1\n100%10%\n\ufffdend".replace("100%10%", "100%10%"),
  );
  const pieces = (await ask(daemon, "process.output", { id, pieces: true, format: "text" })).pieces ?? [];
  expect(pieces.find((piece) => piece.text.includes("err1"))?.stream).toBe("stderr");
  for (const piece of pieces) expect(Date.parse(piece.at)).toBeGreaterThan(Date.now() - 60_000);
  const raw = Buffer.from(
    (await ask(daemon, "process.output", { id, format: "raw", stream: "stdout" })).text ?? "",
    "base64",
  );
  expect(raw.includes(Buffer.from([0xff, 0x00]))).toBe(true);
});

test("a cut never splits a character or an escape, wherever the limit falls", async () => {
  const daemon = shared;
  const id = await runToEnd(daemon, "printf 'ä€😀\\033[31mx\\033[0m%.0s' 1 2 3 4 5 6 7 8 9");
  const whole = (await ask(daemon, "process.output", { id, format: "text" })).text ?? "";
  for (let limitBytes = 10; limitBytes < 40; limitBytes++) {
    let text = "";
    for (let from = 0, complete = false; !complete;) {
      const page = await ask(daemon, "process.output", { id, from, limitBytes, format: "text" });
      expect(page.text).not.toContain("\ufffd");
      text += page.text;
      ({ next: from, complete } = page);
    }
    expect(text).toBe(whole);
  }
});

test("what was dropped is told with the first offset that is kept", async () => {
  const daemon = shared;
  const id = await runToEnd(daemon, "seq 1 200000", { limits: { headBytes: 4096, tailBytes: 65536 } });
  const { outputBytes, droppedBytes } = await ask(daemon, "process.get", { id });
  expect(outputBytes).toBe(1_288_895);
  expect(droppedBytes).toBeGreaterThan(1_000_000);
  const error = await refused(daemon, "process.output", { id, from: 500_000 });
  expect(error).toMatchObject({ code: "OUTPUT_TRIMMED", status: 410 });
  const firstOffset = Number(error.details["firstOffset"]);
  expect((await ask(daemon, "process.output", { id, from: firstOffset, limitBytes: 100 })).from).toBe(
    firstOffset,
  );
  expect((await ask(daemon, "process.output", { id, tailLines: 1 })).text).toBe("200000\n");
  const across = await ask(daemon, "process.output", { id, limitBytes: 8192 });
  expect(across.omitted).toEqual([{ from: 4096, to: firstOffset, why: "dropped" }]);
});

test("what a descendant writes after the end is output too; complete when nobody is left who could write", async () => {
  const daemon = shared;
  const gate = join(testDirectory(), "late");
  execFileSync("mkfifo", [gate]);
  const id = await runToEnd(daemon, `(read line < ${gate}; echo $line) & echo first`);
  const early = await ask(daemon, "process.output", { id });
  expect(early).toMatchObject({ state: "ended", text: "first\n", complete: false });
  await writeFile(gate, "late\n");
  const output = (): Promise<unknown> => ask(daemon, "process.output", { id });
  await expect
    .poll(output, { timeout: 20_000 })
    .toMatchObject({ text: "first\nlate\n", next: 11, complete: true });
  expect(await ask(daemon, "process.get", { id })).toMatchObject({ outputBytes: 11 });
  const { processes } = await ask(daemon, "process.list", { states: ["ended"] });
  expect(processes.find((process) => process.id === id)?.outputBytes).toBe(11);
  await using client = await connectedClient({ home: daemon.home });
  expect(await wholeText(client.output(id, { follow: false }))).toBe("first\nlate\n");
});

test("output kept without a head begins with what is kept; a place that is gone is told with the next one", async () => {
  const daemon = shared;
  const limits = { headBytes: 0, tailBytes: 4096 };
  const command = "seq 1 20000; read line; echo $line";
  const { id } = await ask(daemon, "process.start", { command, cwd: "/", stdin: "open", limits });
  const found = { kind: "match", text: "20000" } as const;
  await ask(daemon, "process.wait", { ids: [id], for: found });
  // Once more, when the beginning has certainly been dropped.
  const { outcome } = await ask(daemon, "process.wait", { ids: [id], for: found });
  expect(outcome).toBe("met");
  await using client = await connectedClient({ home: daemon.home });
  const look = async (follow: boolean, end: string): Promise<void> => {
    const { from, text = "" } = await ask(daemon, "process.output", { id });
    expect(from).toBeGreaterThan(0);
    expect(text.endsWith(end)).toBe(true);
    const events = await Array.fromAsync(client.output(id, { follow }));
    expect(events[0]).toEqual({ kind: "missing", from: 0, to: from, why: "dropped" });
    const bytes = events.flatMap((event) => (event.kind === "data" ? [event.bytes] : []));
    expect(Buffer.concat(bytes).toString()).toBe(text);
    const message = expect.stringContaining(`begins at ${from}.`) as string;
    await expect(Array.fromAsync(client.output(id, { from: 0, follow }))).rejects.toMatchObject({
      code: "OUTPUT_TRIMMED",
      message,
    });
  };
  await look(false, "\n20000\n");
  await ask(daemon, "process.write", { id, parts: [{ text: "bye\n" }] });
  await ask(daemon, "process.wait", { ids: [id] });
  await look(true, "\nbye\n");
  const error = await refused(daemon, "process.output", { id, head: 9, tail: 9, before: 99, pieces: true });
  expect(error).toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("before, pieces") as string,
  });
});
