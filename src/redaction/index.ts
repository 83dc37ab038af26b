export { ByteRedactor, redactBytes } from "./byte-redactor.ts";
export { createRedactor, type ByteStream, type RedactionStream, type Redactor } from "./create-redactor.ts";
export { redactText, type RedactedText } from "./redact-text.ts";
export { redactValue } from "./redact-value.ts";
export { redactPieces, redactionContextBytes, redactWindow, type RedactionWindow } from "./redact-window.ts";
export { StreamRedactor, type StreamOptions } from "./stream-redactor.ts";
