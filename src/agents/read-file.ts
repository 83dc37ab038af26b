// The configuration file of an agent as it is now.
import { readFileSync, statSync, type Stats } from "node:fs";
import { HoldfastError } from "../protocol/errors.ts";
import type { FileOwnership } from "../util/replace-file.ts";
import type { Format } from "./agent.ts";
import { TextFault, type ConfigText } from "./edit/config-text.ts";
import { readJsonText } from "./edit/json-text.ts";
import { readTomlText } from "./edit/toml-text.ts";
import { readYamlText } from "./edit/yaml-text.ts";

export interface StoredFile {
  readonly path: string;
  /** Undefined: there is none. */
  readonly bytes: Buffer | undefined;
  readonly ownership: FileOwnership | undefined;
  /** What an editor put before the text, kept as it is. */
  readonly byteOrderMark: string;
  readonly text: string;
}

// A configuration file of a person; whatever is larger is none.
const mostBytes = 64 * 1024 * 1024;

const readers: Readonly<Record<Format, (text: string) => ConfigText>> = {
  json: readJsonText,
  yaml: readYamlText,
  toml: readTomlText,
};

/** @throws HoldfastError AGENT_CONFIG_INVALID, SYSTEM_ERROR */
export function readFile(path: string): StoredFile {
  const facts = statOf(path);
  if (facts === undefined)
    return { path, bytes: undefined, ownership: undefined, byteOrderMark: "", text: "" };
  if (!facts.isFile() || facts.size > mostBytes) throw invalid(path, 1, "this is no file of settings");
  const bytes = readOr(path, () => readFileSync(path));
  const { byteOrderMark, text } = decode(path, bytes);
  const { mode, uid, gid } = facts;
  return { path, bytes, ownership: { mode, uid, gid }, byteOrderMark, text };
}

/** @throws HoldfastError AGENT_CONFIG_INVALID */
export function readText(path: string, format: Format, text: string): ConfigText {
  return inWords(path, () => readers[format](text));
}

/** What goes wrong with a text, as an error that names file and line. */
export function inWords<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof TextFault) throw invalid(path, error.line, error.message);
    throw error;
  }
}

function invalid(path: string, line: number, reason: string): HoldfastError {
  return new HoldfastError("AGENT_CONFIG_INVALID", `${path}, line ${line}: ${reason}.`, {
    details: { file: path, line },
  });
}

function decode(path: string, bytes: Buffer): { readonly byteOrderMark: string; readonly text: string } {
  let whole: string;
  try {
    whole = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid(path, 1, "this is no UTF-8 text");
  }
  const byteOrderMark = whole.startsWith("\ufeff") ? "\ufeff" : "";
  return { byteOrderMark, text: whole.slice(byteOrderMark.length) };
}

function statOf(path: string): Stats | undefined {
  return readOr(path, () => statSync(path, { throwIfNoEntry: false }));
}

function readOr<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HoldfastError("SYSTEM_ERROR", `${path} cannot be read: ${reason}`, { cause: error });
  }
}
