// Colours and flags as the sequences that set them. Each begins with a reset, so that none depends on the one before it.
import type { Attributes, Core } from "../emulator/xterm-internals.ts";

// The bits of fg, bg and ext, as xterm keeps them.
const colorMode = 0x3_00_00_00;
const palette16 = 0x1_00_00_00;
const palette256 = 0x2_00_00_00;
const paletteMask = 0xff;
const colorMask = 0xff_ff_ff;
const fgFlags: readonly (readonly [number, number])[] = [
  [0x8_00_00_00, 1], // bold
  [0x20_00_00_00, 5], // blink
  [0x4_00_00_00, 7], // inverse
  [0x40_00_00_00, 8], // invisible
  [0x80_00_00_00, 9], // struck through
];
const underlineFlag = 0x10_00_00_00;
const bgFlags: readonly (readonly [number, number])[] = [
  [0x8_00_00_00, 2], // dim
  [0x4_00_00_00, 3], // italic
  [0x40_00_00_00, 53], // overlined
];
const extendedFlag = 0x10_00_00_00;
const protectedFlag = 0x20_00_00_00;

/** Only a background: what erasing with it leaves behind. */
export function isOnlyBackground({ fg, bg }: Attributes): boolean {
  return fg === 0 && (bg & ~(colorMode | colorMask)) === 0;
}

function colorOf(value: number, base: number): string[] {
  switch (value & colorMode) {
    case palette16: {
      const index = value & paletteMask;
      return [String(index < 8 ? base + index : base + 60 + (index & 7))];
    }
    case palette256:
      return [`${base + 8};5;${value & paletteMask}`];
    case 0:
      return [];
    default:
      return [`${base + 8};2;${(value >>> 16) & 255};${(value >>> 8) & 255};${value & 255}`];
  }
}

function underlineOf({ fg, extended }: Attributes): string[] {
  // A link underlines what it covers; asked without it, the style is the program's own.
  const own = extended.clone();
  own.urlId = 0;
  const color = own.underlineColor;
  const rgb = `58:2::${(color >>> 16) & 255}:${(color >>> 8) & 255}:${color & 255}`;
  const mode = color & colorMode;
  const colors = mode === 0 ? [] : [mode === palette256 ? `58:5:${color & paletteMask}` : rgb];
  return [...colors, ...((fg & underlineFlag) === 0 ? [] : [`4:${own.underlineStyle || 1}`])];
}

/** @param always tell the underline of the cursor, which keeps a colour without a line */
export function sgrOf(attributes: Attributes, always = false): string {
  const { fg, bg } = attributes;
  if (fg === 0 && bg === 0 && !always) return "\u001b[m";
  const codes = ["0"];
  for (const [flag, code] of fgFlags) if ((fg & flag) !== 0) codes.push(String(code));
  for (const [flag, code] of bgFlags) if ((bg & flag) !== 0) codes.push(String(code));
  codes.push(...colorOf(fg, 30), ...colorOf(bg, 40));
  if (always || (bg & extendedFlag) !== 0) codes.push(...underlineOf(attributes));
  const sgr = `\u001b[${codes.join(";")}m`;
  return (bg & protectedFlag) === 0 ? sgr : `${sgr}\u001b[1"q`;
}

/** The link that what is printed next belongs to; 0: none. */
export function linkOf(core: Core, urlId: number): string {
  const link = urlId === 0 ? undefined : core.linkService.getLinkData(urlId);
  if (link === undefined) return "\u001b]8;;\u001b\\";
  return `\u001b]8;${link.id === undefined ? "" : `id=${link.id}`};${link.uri}\u001b\\`;
}

export function urlOf({ bg, extended }: Attributes): number {
  return (bg & extendedFlag) === 0 ? 0 : extended.urlId;
}
