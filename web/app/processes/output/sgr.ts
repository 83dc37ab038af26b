// Select Graphic Rendition: the sequences that colour text.

/** A colour of the palette (0-255), or any other one as #rrggbb. */
export type AnsiColour = number | string;

export interface TextStyle {
  readonly foreground?: AnsiColour;
  readonly background?: AnsiColour;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strike?: true;
  readonly inverse?: true;
  readonly hidden?: true;
}

export const plainStyle: TextStyle = {};

type Mutable = { -readonly [Key in keyof TextStyle]: TextStyle[Key] };

const flags: Readonly<Record<number, keyof TextStyle>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "inverse",
  8: "hidden",
  9: "strike",
  21: "underline",
};
const ends: Readonly<Record<number, readonly (keyof TextStyle)[]>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  28: ["hidden"],
  29: ["strike"],
  39: ["foreground"],
  49: ["background"],
};

/** Select Graphic Rendition: `1;31`, `38;5;208`, `38;2;1;2;3`, `4:3`. What is unknown changes nothing. */
export function applySgr(style: TextStyle, parameters: string): TextStyle {
  // Private forms such as `?1m` or `>4;1m` mean something else.
  if (/^[<-?]/.test(parameters)) return style;
  const numbers = parameters.split(/[;:]/).map((text) => (text === "" ? 0 : Number.parseInt(text, 10)));
  let next: Mutable = { ...style };
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    const flag = flags[code];
    if (code === 0) next = {};
    else if (code === 38 || code === 48) {
      const { colour, used } = extendedColour(numbers.slice(at + 1));
      if (colour !== undefined) next[code === 38 ? "foreground" : "background"] = colour;
      at += used;
    } else if (flag !== undefined) next[flag] = true as never; // every flag has this type
    else if (ends[code] !== undefined) for (const name of ends[code]) delete next[name];
    else setBasicColour(next, code);
    // `4:3` is a curly line, `4:0` none: what follows the colon belongs to the number before it.
    if (code === 4 && parameters.includes("4:")) {
      if (numbers[at + 1] === 0) delete next.underline;
      at += 1;
    }
  }
  return Object.keys(next).length === 0 ? plainStyle : next;
}

function setBasicColour(style: Mutable, code: number): void {
  if (code >= 30 && code <= 37) style.foreground = code - 30;
  else if (code >= 40 && code <= 47) style.background = code - 40;
  else if (code >= 90 && code <= 97) style.foreground = code - 90 + 8;
  else if (code >= 100 && code <= 107) style.background = code - 100 + 8;
}

function extendedColour(rest: readonly number[]): { colour: AnsiColour | undefined; used: number } {
  const [kind, ...values] = rest;
  if (kind === 5) return { colour: isByte(values[0]) ? values[0] : undefined, used: 2 };
  if (kind !== 2) return { colour: undefined, used: 1 };
  const [red, green, blue] = values;
  const isColour = isByte(red) && isByte(green) && isByte(blue);
  return { colour: isColour ? rgb(red, green, blue) : undefined, used: 4 };
}

function isByte(value: number | undefined): value is number {
  return value !== undefined && value >= 0 && value <= 255;
}

function rgb(...parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Colours 16-255 of the palette as every terminal has them: a cube of 6 × 6 × 6, then 24 greys. */
export function paletteColour(index: number): string {
  if (index >= 232) return rgb(...Array.from({ length: 3 }, () => 8 + (index - 232) * 10));
  const levels = [0, 95, 135, 175, 215, 255];
  const place = index - 16;
  return rgb(
    ...[Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((level) => levels[level] ?? 0),
  );
}
