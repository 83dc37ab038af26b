// What is configured, key by key, and where each value comes from.
import type { ConfigValue } from "../protocol/daemon.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { configTable, findKey } from "./keys.ts";
import type { ConfigExplanation } from "./resolve.ts";

export class ConfigView {
  readonly #explanations: ReadonlyMap<string, ConfigExplanation>;

  constructor(explanations: ReadonlyMap<string, ConfigExplanation>) {
    this.#explanations = explanations;
  }

  /** As configured, also while the value waits for a restart. @throws HoldfastError CONFIG_KEY_UNKNOWN */
  get(name: string): ConfigValue {
    const { candidates: _, ...value } = this.explain(name);
    return value;
  }

  /** @throws HoldfastError CONFIG_KEY_UNKNOWN */
  explain(name: string): ConfigExplanation {
    const explanation = this.#explanations.get(findKey(configTable, name).name);
    if (explanation === undefined) throw new HoldfastError("INTERNAL", `${name} has no explanation.`);
    return explanation;
  }

  list(): ConfigValue[] {
    return [...configTable.keys.keys()].map((name) => this.get(name));
  }
}
