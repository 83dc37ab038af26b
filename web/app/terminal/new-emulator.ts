// The emulator that draws a terminal on a page, the same for live ones and for recordings: it counts widths as the daemon's own does, types
// nothing by itself, and a link in it opens only after a question.
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import { askLink } from "~/terminal/terminal-links.ts";

// As many as the daemon's emulator keeps, so that both show the same.
const scrollbackLines = 1_000;

export function newEmulator(): Terminal {
  const terminal = new Terminal({
    allowProposedApi: true,
    scrollback: scrollbackLines,
    disableStdin: true,
    cursorBlink: false,
    // Also where a program paints its own ground: the theme alone only promises it on the page's.
    minimumContrastRatio: 4.5,
    fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    linkHandler: { activate: (_event, text) => askLink(text), allowNonHttpProtocols: false },
  });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.loadAddon(new WebLinksAddon((_event, text) => askLink(text)));
  return terminal;
}
