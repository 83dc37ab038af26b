// The log of one process as far as it was read: any page of it, and what comes while one follows. Memory stays bounded, however long the
// log is.
import { isHoldfastError } from "#protocol/errors.ts";
import { createStore, type Store } from "~/util/store.ts";
import {
  linesOfPage,
  LogBytes,
  overhangBytes,
  pageBytes,
  type LogLine,
  type LogPart,
} from "~/processes/output/log-lines.ts";
import { spanAt, spansOf, type LogSpan, type PageSpan } from "~/processes/output/log-spans.ts";
import type { KeptRange, LogExtent, LogSource } from "~/processes/output/read-log.ts";
import { plainStyle, type TextStyle } from "~/processes/output/sgr.ts";
import { readLine } from "~/processes/output/styled-line.ts";

export interface LogPage {
  readonly log: LogBytes;
  readonly lines: readonly LogLine[];
  /** In force where each line begins. */
  readonly styles: readonly TextStyle[];
  readonly endStyle: TextStyle;
}

export interface LogState {
  readonly spans: readonly LogSpan[];
  readonly pages: ReadonlyMap<number, LogPage>;
  readonly end: number;
  /** False until the daemon has told what there is. */
  readonly isOpen: boolean;
  readonly error: unknown;
}

// About 3 MB of text: more than a screen and its surroundings, little enough to forget.
const mostPages = 48;

export class LogDocument {
  readonly state: Store<LogState>;
  readonly #source: LogSource;
  readonly #loading = new Map<number, AbortController>();
  #leaving = new AbortController();
  #kept: readonly KeptRange[] = [];
  #wanted: readonly number[] = [];

  constructor(source: LogSource) {
    this.#source = source;
    this.state = createStore<LogState>({
      spans: [],
      pages: new Map(),
      end: 0,
      isOpen: false,
      error: undefined,
    });
  }

  /** Returns how to close it; it may be opened again. */
  open(): () => void {
    const leaving = new AbortController();
    this.#leaving = leaving;
    void this.refresh();
    return () => {
      leaving.abort();
      for (const controller of this.#loading.values()) controller.abort();
    };
  }

  /** Asks what there is now. */
  async refresh(): Promise<void> {
    const { signal } = this.#leaving; // it may be opened again while this one waits
    try {
      this.#take(await this.#source.extent(signal));
    } catch (error) {
      if (!signal.aborted) this.#change({ error, isOpen: true });
    }
  }

  /** Reads the newest page, and tells where it ends: what comes next can be appended there. */
  async readTail(): Promise<number> {
    const { parts, end, kept } = await this.#source.tail(pageBytes + overhangBytes, this.#leaving.signal);
    const last = parts.at(-1);
    const to = last === undefined ? end : last.offset + last.bytes.length;
    // Only as far as was read: the rest is appended.
    this.#take({ end: to, kept: kept.map((range) => ({ from: range.from, to: Math.min(range.to, to) })) });
    const { spans, pages } = this.state.get();
    const span = spans.at(-1);
    if (span?.kind !== "page") return to;
    const begin = span.isFirst ? span.from : span.from - 1;
    const log = new LogBytes(begin, clipped(parts, begin, to));
    if (log.to < to) return to; // it begins before what was read: then it is read when it is wanted
    const next = new Map(pages).set(
      span.from,
      pageOf(span, log, styleBefore(spans, spans.length - 1, pages)),
    );
    this.#change({ pages: this.#bounded(next, [...this.#wanted, span.from]), error: undefined });
    return to;
  }

  /** The output has grown to here, though nobody has read it. */
  grew(end: number): void {
    const last = this.#kept.at(-1);
    if (end <= this.state.get().end || !this.state.get().isOpen) return;
    const grown = last === undefined ? { from: 0, to: end } : { from: last.from, to: end };
    this.#take({ end, kept: [...this.#kept.slice(0, -1), grown] });
  }

  /** These pages are in view: reads what is missing of them, and no longer what is not. */
  want(froms: readonly number[]): void {
    this.#wanted = froms;
    for (const [from, controller] of this.#loading) if (!froms.includes(from)) controller.abort();
    for (const from of froms) void this.#load(from);
  }

  /** What came while one follows; the parts follow each other without a hole. */
  append(parts: readonly LogPart[]): void {
    const [first] = parts;
    const last = parts.at(-1);
    if (first === undefined || last === undefined) return;
    const to = last.offset + last.bytes.length;
    this.grew(to);
    const { spans, pages } = this.state.get();
    const next = new Map(pages);
    // The page before may have waited for the end of its last line.
    for (let at = spanAt(spans, Math.max(0, first.offset - overhangBytes - 1)); at < spans.length; at += 1) {
      const span = spans[at];
      if (span?.kind !== "page" || (next.get(span.from)?.log.to ?? 0) >= readTo(span)) continue;
      const before = bytesBefore(
        span,
        first.offset,
        next.get(span.from),
        next.get(spans[at - 1]?.from ?? -1),
      );
      if (before === undefined) continue;
      const log = new LogBytes(before.from, [...before.parts, ...clipped(parts, before.next, readTo(span))]);
      next.set(span.from, pageOf(span, log, styleBefore(spans, at, next)));
    }
    this.#change({ pages: this.#bounded(next, [...this.#wanted, spans.at(-1)?.from ?? 0]) });
  }

  async #load(from: number): Promise<void> {
    const { spans, pages } = this.state.get();
    const at = spanAt(spans, from);
    const span = spans[at];
    if (span?.kind !== "page" || span.from !== from || this.#loading.has(from)) return;
    if ((pages.get(from)?.log.to ?? 0) >= readTo(span)) return;
    const controller = new AbortController();
    this.#loading.set(from, controller);
    try {
      await this.#read(span, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      // It went while we looked: what is left is somewhere else now.
      if (isHoldfastError(error, "OUTPUT_TRIMMED")) await this.refresh();
      else this.#change({ error });
    } finally {
      this.#loading.delete(from);
    }
  }

  async #read(span: PageSpan, signal: AbortSignal): Promise<void> {
    const begin = span.isFirst ? span.from : span.from - 1;
    const { parts, end, kept } = await this.#source.read(begin, readTo(span), signal);
    signal.throwIfAborted();
    this.#take({ end, kept });
    const { spans, pages } = this.state.get();
    const at = spanAt(spans, span.from);
    const now = spans[at];
    if (now?.kind !== "page" || now.from !== span.from) return; // trimmed meanwhile
    const next = new Map(pages);
    next.set(now.from, pageOf(now, new LogBytes(begin, parts), styleBefore(spans, at, next)));
    restyleFrom(spans, at + 1, next);
    this.#change({ pages: this.#bounded(next, this.#wanted), error: undefined });
  }

  #take({ end, kept }: LogExtent): void {
    this.#kept = kept;
    this.#change({ spans: spansOf(kept), end: Math.max(end, this.state.get().end), isOpen: true });
  }

  #change(part: Partial<LogState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }

  /** Forgets the pages that were read first, but none that is in view. */
  #bounded(pages: Map<number, LogPage>, keep: readonly number[]): Map<number, LogPage> {
    for (const from of pages.keys()) {
      if (pages.size <= mostPages) break;
      if (!keep.includes(from)) pages.delete(from);
    }
    return pages;
  }
}

/** Up to where a page must be read so that its last line is whole. */
function readTo({ from, rangeEnd }: PageSpan): number {
  const pageEnd = (Math.floor(from / pageBytes) + 1) * pageBytes;
  return Math.min(pageEnd + overhangBytes, rangeEnd);
}

function pageOf(span: PageSpan, log: LogBytes, style: TextStyle): LogPage {
  return styled(log, linesOfPage(log, span), style);
}

function styled(log: LogBytes, lines: readonly LogLine[], begin: TextStyle): LogPage {
  let style = begin;
  const styles = lines.map(({ text }) => {
    const before = style;
    if (text.includes("\u001b[") || text.includes("\u009b")) ({ style } = readLine(text, style));
    return before;
  });
  return { log, lines, styles, endStyle: style };
}

/** A page that was not read says nothing: its last line will have reset its colours, as nearly all do. */
function styleBefore(spans: readonly LogSpan[], at: number, pages: ReadonlyMap<number, LogPage>): TextStyle {
  const before = spans[at - 1];
  return (before?.kind === "page" ? pages.get(before.from)?.endStyle : undefined) ?? plainStyle;
}

/** Colours that go on from one page into the next, as far as pages are there. */
function restyleFrom(spans: readonly LogSpan[], begin: number, pages: Map<number, LogPage>): void {
  for (let at = begin; at < spans.length; at += 1) {
    const span = spans[at];
    const page = span === undefined ? undefined : pages.get(span.from);
    const style = styleBefore(spans, at, pages);
    if (span === undefined || page === undefined || page.styles[0] === style) return;
    if (page.styles[0] === plainStyle && style === plainStyle) return;
    pages.set(span.from, styled(page.log, page.lines, style));
  }
}

interface Before {
  readonly from: number;
  readonly parts: readonly LogPart[];
  /** Where what comes now joins it. */
  readonly next: number;
}

/** What a page has of the bytes before `offset`; undefined when some of it was never read. */
function bytesBefore(
  span: PageSpan,
  offset: number,
  page: LogPage | undefined,
  previous: LogPage | undefined,
): Before | undefined {
  const begin = span.isFirst ? span.from : span.from - 1;
  if (offset <= begin) return { from: begin, parts: [], next: begin };
  for (const known of [page, previous]) {
    if (known === undefined || known.log.from > begin || known.log.to < offset) continue;
    const next = Math.min(known.log.to, readTo(span));
    return { from: begin, parts: [...known.log.runs(begin, next)], next };
  }
  return undefined;
}

function clipped(parts: readonly LogPart[], from: number, to: number): LogPart[] {
  return [...new LogBytes(parts[0]?.offset ?? 0, parts).runs(from, to)];
}
