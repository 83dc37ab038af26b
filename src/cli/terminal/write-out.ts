// Bytes for standard output and error, no faster than they are taken.

export async function writeOut(
  bytes: Uint8Array | string,
  stream: "stdout" | "stderr" = "stdout",
): Promise<void> {
  if (bytes.length === 0) return;
  const target = process[stream];
  if (target.write(bytes)) return;
  // Not events.once, which fails when nobody reads any more: then broken-pipe.ts ends the program.
  await new Promise<void>((resolve) => {
    target.once("drain", resolve);
  });
}

/** Resolves when everything written was taken: a pipe takes 64 KiB at a time, and a program that exits drops the rest. */
export async function flushOutput(): Promise<void> {
  for (const target of [process.stdout, process.stderr]) {
    if (target.writableLength === 0) continue;
    await new Promise<void>((resolve) => {
      target.write("", () => resolve());
    });
  }
}
