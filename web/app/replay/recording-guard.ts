// Sequences that xterm does not survive, or that keep it busy for ever. Live terminals are shown what the daemon has made safe; a recording is
// what the program wrote.
import type { Terminal } from "@xterm/xterm";

interface Parameters {
  readonly params: readonly number[];
  readonly length: number;
}

/** What is used of xterm beyond its public interface. The version is pinned, and a test plays such a recording. */
interface InputHandler extends Record<Repeater, (parameters: Parameters) => boolean> {
  parse: (data: string | Uint8Array, isPromise?: boolean) => unknown;
  readonly _parser: { reset(): void };
  eraseInDisplay(parameters: Parameters, respectsProtection: boolean): boolean;
}

type Repeater =
  | "insertLines"
  | "deleteLines"
  | "scrollUp"
  | "scrollDown"
  | "cursorForwardTab"
  | "cursorBackwardTab"
  | "repeatPrecedingCharacter";

/** Each does its work as often as it is told to; more often than this changes nothing any more. */
const repeaters: Readonly<Record<string, readonly [Repeater, (terminal: Terminal) => number]>> = {
  L: ["insertLines", ({ rows }) => rows],
  M: ["deleteLines", ({ rows }) => rows],
  S: ["scrollUp", ({ rows }) => rows],
  T: ["scrollDown", ({ rows }) => rows],
  I: ["cursorForwardTab", ({ cols }) => cols],
  Z: ["cursorBackwardTab", ({ cols }) => cols],
  b: ["repeatPrecedingCharacter", ({ rows, cols }) => rows * cols],
};

export function guardRecording(terminal: Terminal): void {
  const { _core: core } = terminal as unknown as { readonly _core: { readonly _inputHandler: InputHandler } }; // private
  const { _inputHandler: input } = core;
  for (const [final, [repeat, most]] of Object.entries(repeaters)) {
    terminal.parser.registerCsiHandler({ final }, ([count]) => {
      if (typeof count !== "number" || count <= most(terminal)) return false;
      return input[repeat]({ params: [most(terminal)], length: 1 });
    });
  }
  for (const prefix of [undefined, "?"]) {
    terminal.parser.registerCsiHandler(
      { ...(prefix === undefined ? {} : { prefix }), final: "J" },
      ([what]) => {
        if (what !== 1 || !isInLastCell(terminal)) return false;
        // Up to the last cell is everything.
        return input.eraseInDisplay({ params: [2], length: 1 }, prefix === "?");
      },
    );
  }
  const { parse, _parser: parser } = input;
  input.parse = (data, isPromise) => {
    try {
      return parse.call(input, data, isPromise);
    } catch {
      // Some other fault of its own: what came after it in this event is not drawn, and the recording goes on.
      parser.reset();
      return undefined;
    }
  };
}

/** Erasing up to there looks at the line after it, and there is none. */
function isInLastCell({ buffer, cols }: Terminal): boolean {
  const { cursorX, cursorY, length } = buffer.active;
  return cursorX + 1 >= cols && cursorY + 1 >= length;
}
