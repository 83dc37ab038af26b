// `config set`: one key of the home's file, written only if the whole configuration is valid with it.
import { isDeepStrictEqual } from "node:util";
import { readConfigFile, readFileLayer } from "./config-file.ts";
import { editConfigText } from "./edit-file.ts";
import { configTable, type ConfigKey } from "./keys.ts";
import { valueOfText, whyUnusable } from "./layer.ts";
import { configInvalid, homeConfigFile, loadKeys, readConfigFiles, type LoadOptions } from "./load-config.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Sets a key in the home's file, or takes it out for null. A text is read as in a variable.
 * @throws HoldfastError CONFIG_INVALID (nothing is written), SYSTEM_ERROR
 */
export function setKeyInHome(options: LoadOptions, key: ConfigKey, given: unknown): void {
  const file = homeConfigFile(options.home);
  const value = typeof given === "string" ? valueOfText(key, given) : given;
  // Undefined is what a schema fills with its default: a forgotten value must not pass for one.
  if (value === undefined) throw refusal(file, key, "a value is missing; null takes the key out of the file");
  const unusable = value === null ? undefined : whyUnusable(key, value);
  if (unusable !== undefined) throw refusal(file, key, unusable);

  const content = readConfigFile(file);
  const before = "text" in content ? (content.text ?? "") : undefined;
  const after = before === undefined ? undefined : editConfigText(before, key.path, value);
  checkWhole(options, after);
  if (before === undefined || after === undefined || !differOnlyIn(key, before, after)) {
    throw refusal(
      file,
      key,
      "the file gives this value in a way that only its author can change; edit it there",
    );
  }
  if (after !== before) replaceFile(file, after);
}

/** @throws HoldfastError CONFIG_INVALID when any source has a problem, with this text in the home's file */
function checkWhole(options: LoadOptions, text: string | undefined): void {
  const files = readConfigFiles(options).map((one) => {
    return one.source === "home" && text !== undefined ? { ...one, content: { text } } : one;
  });
  const { problems } = loadKeys(configTable, options, files);
  if (problems.length > 0) throw configInvalid(problems);
}

/** Aliases can make one place the value of several keys. */
function differOnlyIn(key: ConfigKey, before: string, after: string): boolean {
  const [old, changed] = [before, after].map((text) => {
    const { given } = readFileLayer(configTable, { file: "", source: "home", content: { text } });
    return [...given].filter(([name]) => name !== key.name).map(([name, { value }]) => ({ name, value }));
  });
  return isDeepStrictEqual(old, changed);
}

function refusal(file: string, key: ConfigKey, message: string): Error {
  return configInvalid([{ file, line: null, key: key.name, message }]);
}
