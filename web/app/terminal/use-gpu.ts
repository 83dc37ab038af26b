// Draws with the graphics card while a terminal is shown. A browser has few such contexts, and takes one away at will.
import { useEffect } from "react";
import type { Terminal } from "@xterm/xterm";

export function useGpu(terminal: Terminal, isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return undefined;
    const hidden = new AbortController();
    void drawWithGpu(terminal, hidden.signal);
    return () => hidden.abort();
  }, [terminal, isShown]);
}

async function drawWithGpu(terminal: Terminal, signal: AbortSignal): Promise<void> {
  const { WebglAddon } = await import("@xterm/addon-webgl");
  if (signal.aborted || terminal.element === undefined) return;
  try {
    const addon = new WebglAddon();
    addon.onContextLoss(() => addon.dispose());
    terminal.loadAddon(addon);
    signal.addEventListener("abort", () => addon.dispose(), { once: true });
  } catch {
    // No such context here: the emulator draws with elements instead.
  }
}
