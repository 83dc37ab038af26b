// Light, dark, or what the system says. Kept per browser.
import { useEffect } from "react";
import { createStore, useStore } from "~/util/store.ts";

export type Theme = "system" | "light" | "dark";

const storageKey = "holdfast.theme";
const themes: readonly Theme[] = ["system", "light", "dark"];

function storedTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? "system";
}

const theme = createStore<Theme>(storedTheme());
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
/** What is shown: terminals choose their colours by it. */
export const shownTheme = createStore<"light" | "dark">("light");

export function applyTheme(): void {
  const chosen = theme.get();
  const shown = chosen === "system" ? (systemIsDark.matches ? "dark" : "light") : chosen;
  document.documentElement.dataset["theme"] = shown;
  shownTheme.set(shown);
}

export function useTheme(): readonly [Theme, (next: Theme) => void] {
  const chosen = useStore(theme);
  useEffect(() => {
    systemIsDark.addEventListener("change", applyTheme);
    return () => systemIsDark.removeEventListener("change", applyTheme);
  }, []);
  const choose = (next: Theme): void => {
    localStorage.setItem(storageKey, next);
    theme.set(next);
    applyTheme();
  };
  return [chosen, choose];
}
