// How output is shown; kept per browser.
import { createStore } from "~/util/store.ts";

export interface OutputSettings {
  readonly isWrapped: boolean;
  readonly hasTimes: boolean;
}

const storageKey = "holdfast.output";

function stored(): OutputSettings {
  const text = localStorage.getItem(storageKey) ?? "";
  return { isWrapped: !text.includes("cut"), hasTimes: text.includes("times") };
}

export const outputSettings = createStore<OutputSettings>(stored());

export function changeOutputSettings(part: Partial<OutputSettings>): void {
  const next = { ...outputSettings.get(), ...part };
  outputSettings.set(next);
  const words = [next.isWrapped ? "wrapped" : "cut", ...(next.hasTimes ? ["times"] : [])];
  localStorage.setItem(storageKey, words.join(" "));
}
