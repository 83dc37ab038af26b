// The modes of a terminal as the sequences that set them, on one that was reset.
import type { Core } from "../emulator/xterm-internals.ts";

const mouseProtocols: Readonly<Record<string, number>> = { X10: 9, VT200: 1000, DRAG: 1002, ANY: 1003 };
const mouseEncodings: Readonly<Record<string, number>> = { SGR: 1006, SGR_PIXELS: 1016 };
const cursorStyles = { block: 2, underline: 4, bar: 6 } as const;

export function modesOf(core: Core): string {
  const { coreService, coreMouseService, optionsService } = core;
  const modes = coreService.decPrivateModes;
  const set: [boolean, number][] = [
    [modes.applicationCursorKeys, 1],
    [modes.applicationKeypad, 66],
    [modes.bracketedPasteMode, 2004],
    [modes.reverseWraparound, 45],
    [modes.sendFocus, 1004],
    [optionsService.rawOptions.cursorBlink, 12],
    [modes.synchronizedOutput, 2026],
  ];
  const mouse = [
    mouseProtocols[coreMouseService.activeProtocol],
    mouseEncodings[coreMouseService.activeEncoding],
  ].filter((mode) => mode !== undefined);
  const numbers = [...set.flatMap(([isOn, mode]) => (isOn ? [mode] : [])), ...mouse];
  return [
    ...numbers.map((mode) => `\u001b[?${mode}h`),
    modes.wraparound ? "" : "\u001b[?7l",
    coreService.modes.insertMode ? "\u001b[4h" : "",
    // A reset of the emulator leaves these two.
    optionsService.rawOptions.convertEol ? "\u001b[20h" : "\u001b[20l",
    coreService.isCursorHidden ? "\u001b[?25l" : "\u001b[?25h",
    cursorStyleOf(core),
  ].join("");
}

function cursorStyleOf({ coreService }: Core): string {
  const { cursorStyle, cursorBlink } = coreService.decPrivateModes;
  if (cursorStyle === undefined) return "";
  return `\u001b[${cursorStyles[cursorStyle] - (cursorBlink === true ? 1 : 0)} q`;
}
