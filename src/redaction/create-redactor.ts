// The one object the daemon is put together with: redaction as it was configured when the daemon started.
import { ByteRedactor, redactBytes } from "./byte-redactor.ts";
import { redactText, type RedactedText } from "./redact-text.ts";
import { redactValue } from "./redact-value.ts";
import { redactPieces, redactWindow, textOf, type RedactionWindow } from "./redact-window.ts";
import { StreamRedactor, type StreamOptions } from "./stream-redactor.ts";

export interface RedactionStream {
  push(piece: string | Uint8Array): string;
  end(options?: { readonly isCut?: boolean }): string;
}

/** Each answer goes on where the one before it ended. */
export interface ByteStream {
  /** Some bytes have not been told: `pause` tells them too. */
  readonly holdsBack: boolean;
  push(piece: Uint8Array): Uint8Array;
  pause(): Uint8Array;
  end(options?: { readonly isCut?: boolean }): Uint8Array;
}

export interface Redactor {
  readonly isEnabled: boolean;
  /** Just the text: for fields of lists and lines of logs. */
  line(text: string): string;
  text(text: string): RedactedText;
  /** Every text in a value, at any depth. */
  value<Value>(value: Value): Value;
  window(window: RedactionWindow): RedactedText;
  /** A window for whoever wants bytes: as many as came, a star for each of a secret. */
  bytes(window: RedactionWindow & { readonly text: Uint8Array }): Uint8Array;
  pieces(
    pieces: readonly string[],
    edges?: Pick<RedactionWindow, "startsInside" | "endsInside">,
  ): readonly string[];
  stream(options?: StreamOptions): RedactionStream;
  /** As `bytes`, of what comes in pieces. */
  byteStream(options?: StreamOptions): ByteStream;
}

/** Nothing can turn it on or off afterwards: whoever runs with a redactor runs with this one. */
export function createRedactor({ enabled }: { readonly enabled: boolean }): Redactor {
  return Object.freeze(enabled ? redacting : passing);
}

const redacting: Redactor = {
  isEnabled: true,
  line: (text) => redactText(text).text,
  text: redactText,
  value: redactValue,
  window: redactWindow,
  bytes: redactBytes,
  pieces: redactPieces,
  stream: (options) => new StreamRedactor(options),
  byteStream: (options) => new ByteRedactor(options),
};

const passing: Redactor = {
  isEnabled: false,
  line: (text) => text,
  text: (text) => ({ text, count: 0 }),
  value: (value) => value,
  window: ({ text }) => ({ text: textOf(text), count: 0 }),
  bytes: ({ text }) => text,
  pieces: (pieces) => pieces,
  stream: () => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return {
      push: (piece) => (typeof piece === "string" ? piece : decoder.decode(piece, { stream: true })),
      end: () => decoder.decode(),
    };
  },
  byteStream: () => {
    const nothing = (): Uint8Array => new Uint8Array();
    return { holdsBack: false, push: (piece) => piece, pause: nothing, end: nothing };
  },
};
