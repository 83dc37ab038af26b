// What a terminal shows that comes to a program which has been running: its last lines, or a request to draw again.
import type { Client } from "../../client/index.ts";
import { ScreenModes } from "./screen-modes.ts";
import { writeOut } from "./write-out.ts";

export interface Replayed {
  /** Where live output goes on. */
  readonly next: number;
  readonly modes: ScreenModes;
}

// Far enough back to find what a program has switched on since it drew its first screen.
const lookBackBytes = 262_144;

// Questions to the terminal: shown again they would be answered again, and the answers typed into the program.
const questions =
  // eslint-disable-next-line no-control-regex -- escape sequences begin with a control character
  /\u001b\[[?>=]?[0-9;]*[cnu]|\u001b\[\?[0-9;]*\$p|\u001b\[>[0-9;]*q|\u001b\][0-9;]*;\?[^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001bP[+$]q[^\u001b]*\u001b\\|\u0005/g;

export interface ReplayOptions {
  readonly lines: number;
  /** False: only look. */
  readonly show: boolean;
}

export async function replay(client: Client, id: string, { lines, show }: ReplayOptions): Promise<Replayed> {
  const told = await client.process.output({
    id,
    tailBytes: lookBackBytes,
    limitBytes: lookBackBytes,
    format: "raw",
  });
  const bytes = Buffer.from(told.text ?? "", "base64");
  const modes = new ScreenModes();
  modes.watch(bytes);
  if (!show) return { next: told.next, modes };
  // A full-screen program draws everything when it learns of its size; old drawing would only flicker.
  const text = modes.isAlternateScreen
    ? ""
    : lastLines(bytes.toString("latin1"), lines).replaceAll(questions, "");
  await writeOut(modes.enter());
  await writeOut(Buffer.from(text, "latin1"));
  return { next: told.next, modes };
}

function lastLines(text: string, count: number): string {
  let at = text.length;
  for (let line = 0; line < count && at >= 0; line += 1) at = at === 0 ? -1 : text.lastIndexOf("\n", at - 1);
  return text.slice(at + 1);
}

/** Makes a program draw again: it hears of a size only when it differs. */
export async function askToRedraw(
  client: Client,
  id: string,
  size: { columns: number; rows: number },
): Promise<void> {
  await client.process.resize({ id, columns: size.columns, rows: Math.max(1, size.rows - 1) });
  await client.process.resize({ id, ...size });
}
