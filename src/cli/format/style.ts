// Colours: only where a person looks at a terminal that shows them and has not said no (https://no-color.org).

export type Colour = "red" | "green" | "yellow" | "dim" | "bold";
export type Paint = (colour: Colour | undefined, text: string) => string;

const codes: Readonly<Record<Colour, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

export function hasColour(isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  return isTerminal && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
}

export function painter(isColoured: boolean): Paint {
  return (colour, text) =>
    isColoured && colour !== undefined ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
}
