// One line of output: when, from which stream, and its text in its colours. Always text, never markup.
import { memo, type CSSProperties, type ReactNode } from "react";
import { cellsOf, isAscii } from "~/processes/output/cells.ts";
import { rowPx } from "~/processes/output/log-layout.ts";
import type { LogLine } from "~/processes/output/log-lines.ts";
import { paletteColour, type AnsiColour, type TextStyle } from "~/processes/output/sgr.ts";
import { readLine, type StyledText } from "~/processes/output/styled-line.ts";

/** Columns of the gutter. */
export const streamColumns = 4;
export const timeColumns = 13;

export interface OutputLineProps {
  readonly line: LogLine;
  readonly style: TextStyle;
  readonly rows: number;
  /** Undefined: not wrapped. */
  readonly columns: number | undefined;
  readonly hasTime: boolean;
  /** One has jumped here. */
  readonly isTarget: boolean;
  /** Text to be marked, in lower case. */
  readonly marked: string;
}

export const OutputLine = memo(function OutputLine(props: OutputLineProps) {
  const { line, style, rows, columns, hasTime, isTarget, marked } = props;
  const isError = line.stream === "stderr";
  const { spans } = readLine(line.text, style);
  return (
    <div
      data-offset={line.offset}
      style={{ height: rows * rowPx }}
      className={`flex w-max min-w-full border-l-2 pr-3 ${isError ? "border-bad" : "border-transparent"} ${isTarget ? "bg-warn-soft" : isError ? "bg-bad-soft/40" : ""}`}
    >
      <span className="shrink-0 text-center text-bad select-none" style={{ width: `${streamColumns}ch` }}>
        {isError ? "err" : ""}
      </span>
      {hasTime ? <Time atMs={line.atMs} /> : null}
      <span
        style={columns === undefined ? {} : { width: `${columns}ch` }}
        className={columns === undefined ? "whitespace-pre" : "break-all whitespace-pre-wrap"}
      >
        {markSpans(spans, marked).map((span, index) => (
          // A span has no other name than its place.
          <Styled key={index} span={span} isBoxed={columns !== undefined} />
        ))}
      </span>
    </div>
  );
});

function Time({ atMs }: { atMs: number }) {
  const at = new Date(atMs);
  const pad = (value: number, digits = 2): string => String(value).padStart(digits, "0");
  return (
    <time
      dateTime={at.toISOString()}
      title={at.toLocaleString()}
      className="shrink-0 text-muted select-none"
      style={{ width: `${timeColumns}ch` }}
    >
      {`${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}.${pad(at.getMilliseconds(), 3)}`}
    </time>
  );
}

interface MarkedText extends StyledText {
  readonly isMarked: boolean;
}

/** Cuts spans where the wanted text begins and ends; it may lie across several. */
export function markSpans(spans: readonly StyledText[], marked: string): MarkedText[] {
  if (marked === "") return spans.map((span) => ({ ...span, isMarked: false }));
  const whole = spans
    .map(({ text }) => text)
    .join("")
    .toLowerCase();
  const places: number[] = [];
  for (let at = whole.indexOf(marked); at >= 0; at = whole.indexOf(marked, at + marked.length))
    places.push(at);
  const isInside = (at: number): boolean => places.some((place) => at >= place && at < place + marked.length);
  const edges = new Set(places.flatMap((place) => [place, place + marked.length]));
  let begin = 0;
  return spans.flatMap(({ text, style }) => {
    const inside = [...edges].map((edge) => edge - begin).filter((edge) => edge > 0 && edge < text.length);
    const cuts = [0, ...inside.toSorted((a, b) => a - b), text.length];
    const parts = cuts.slice(0, -1).map((cut, index) => ({
      text: text.slice(cut, cuts[index + 1]),
      style,
      isMarked: isInside(begin + cut),
    }));
    begin += text.length;
    return parts;
  });
}

function Styled({ span, isBoxed }: { span: MarkedText; isBoxed: boolean }) {
  const { text, style, isMarked } = span;
  const content = isBoxed && !isAscii(text) ? boxed(text) : text;
  const look = cssOf(style);
  if (isMarked) return <mark className="rounded-sm bg-warn text-canvas">{content}</mark>;
  return look === undefined ? <>{content}</> : <span style={look}>{content}</span>;
}

/** In boxes of whole columns: then lines break exactly where they were counted to. */
function boxed(text: string): ReactNode {
  return cellsOf(text).map((cell, index) =>
    isAscii(cell.text) ? (
      cell.text
    ) : (
      <span
        // A character has no other name than its place.
        key={index}
        className="inline-block overflow-hidden align-top"
        style={{ width: `${cell.width}ch`, height: rowPx }}
      >
        {cell.text}
      </span>
    ),
  );
}

function colourOf(colour: AnsiColour): string {
  if (typeof colour === "string") return colour;
  return colour < 16 ? `var(--ansi-${colour})` : paletteColour(colour);
}

/** Colours are chosen to be read on the page, so the page's own is read on them; black, white and greys are not colours. */
function frontOn(background: AnsiColour | undefined): string | undefined {
  const isColour = typeof background === "number" && background < 16 && ![0, 7].includes(background % 8);
  return isColour ? "var(--terminal)" : undefined;
}

/** Undefined for plain text. */
function cssOf(style: TextStyle): CSSProperties | undefined {
  if (Object.keys(style).length === 0) return undefined;
  const front = style.foreground === undefined ? frontOn(style.background) : colourOf(style.foreground);
  const back = style.background === undefined ? undefined : colourOf(style.background);
  const [colour, background] = style.inverse
    ? [back ?? "var(--terminal)", front ?? "var(--text)"]
    : [front, back];
  const lines = [style.underline ? "underline" : "", style.strike ? "line-through" : ""].join(" ").trim();
  return {
    ...(colour === undefined ? {} : { color: colour }),
    ...(background === undefined ? {} : { backgroundColor: background }),
    ...(style.bold ? { fontWeight: 600 } : {}),
    ...(style.italic ? { fontStyle: "italic" } : {}),
    ...(lines === "" ? {} : { textDecorationLine: lines }),
    ...(style.dim ? { opacity: 0.75 } : {}),
    ...(style.hidden ? { opacity: 0 } : {}),
  };
}
