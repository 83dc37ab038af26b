// How terminals look in this browser: font size, and whether a screen reader follows.
import { createStore } from "~/util/store.ts";

export interface TerminalSettings {
  readonly fontSize: number;
  readonly screenReader: boolean;
}

export const leastFontSize = 8;
export const mostFontSize = 32;
const storageKey = "holdfast.terminal";
const defaults: TerminalSettings = { fontSize: 13, screenReader: false };

/** Whatever another version or a person left in the storage. */
export function readSettings(stored: string | null): TerminalSettings {
  try {
    const value = JSON.parse(stored ?? "{}") as Partial<Record<keyof TerminalSettings, unknown>> | null;
    return {
      fontSize: typeof value?.fontSize === "number" ? clampFontSize(value.fontSize) : defaults.fontSize,
      screenReader: value?.screenReader === true,
    };
  } catch {
    return defaults; // not JSON
  }
}

function clampFontSize(size: number): number {
  return Math.min(mostFontSize, Math.max(leastFontSize, Math.round(size)));
}

export const terminalSettings = createStore<TerminalSettings>(defaults);

export function loadSettings(): void {
  terminalSettings.set(readSettings(localStorage.getItem(storageKey)));
}

export function changeSettings(change: Partial<TerminalSettings>): void {
  const next = { ...terminalSettings.get(), ...change };
  const settings = { ...next, fontSize: clampFontSize(next.fontSize) };
  localStorage.setItem(storageKey, JSON.stringify(settings));
  terminalSettings.set(settings);
}
