// The `keeper` file of a run (CONTRACT.md §2): who keeps it, or kept it last.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessIdentity } from "../util/process-identity.ts";
import { parseIdentity } from "./identity.ts";
import { isMissingFile } from "./system-error.ts";
import { parseText, textNumber, textValue } from "./text-format.ts";

export interface KeeperFile {
  readonly contract: string;
  readonly build: string;
  /** Undefined before the first keeper has written it. */
  readonly identity?: ProcessIdentity;
  /** End of the output, known here alone while the disk is full. */
  readonly endOffset?: number;
}

export function parseKeeperFile(text: string): KeeperFile {
  // It is rewritten in place and padded with spaces, so a value may be followed by some.
  const trimmed = text.replaceAll(/ +$/gm, "");
  const lines = parseText(trimmed);
  const identity = parseIdentity(trimmed);
  const endOffset = textNumber(lines, "end");
  return {
    contract: textValue(lines, "contract") ?? "",
    build: textValue(lines, "build") ?? "",
    ...(identity === undefined ? {} : { identity }),
    ...(endOffset === undefined ? {} : { endOffset }),
  };
}

/** Undefined if there is none. */
export async function readKeeperFile(directory: string): Promise<KeeperFile | undefined> {
  try {
    return parseKeeperFile(await readFile(join(directory, "keeper"), "utf8"));
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}
