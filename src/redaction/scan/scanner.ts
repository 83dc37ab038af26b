// Finds secrets in text that comes piece by piece. Every character passes the gate once; a candidate keeps its own place
// and reads each character at most once; so the work grows with the text and with nothing else.
import type { Gate, GatePosition } from "./gate.ts";
import type { GateHit } from "./gate-states.ts";
import type { Candidate, Finding, Growth, Rule, TextEnd } from "./rule.ts";
import { VisibleText } from "./visible-text.ts";
import { isWordStart } from "./word-start.ts";

/** A found secret; its end moves on as long as it grows. */
export interface Span {
  readonly kind: string;
  readonly start: number;
  end: number;
  /** Its place among rules that find the same start. */
  readonly rank: number;
}

export interface RuleSet {
  readonly rules: readonly Rule[];
  readonly gate: Gate;
}

/** More never overlap at one place: the rules that begin alike, and what they stand in. */
const spansInReach = 8;

interface Open<Thing> {
  readonly thing: Thing;
  readonly rank: number;
}

export class Scanner {
  readonly text = new VisibleText();
  /** In the order of their starts; kept as long as their text. */
  readonly spans: Span[] = [];
  readonly #ruleSet: RuleSet;
  readonly #gatePosition: GatePosition = { row: 0 };
  /** Positions at which something that is not text was taken out. */
  #joints: number[] = [];
  #candidates: Open<Candidate>[] = [];
  /** By rule. Without it, a text of nothing but beginnings would be read once for each of them. */
  readonly #lastFound: Record<number, Span> = {};
  readonly #lastTried: Record<number, Candidate> = {};
  #growing: { readonly span: Span; readonly growth: Growth }[] = [];

  constructor(ruleSet: RuleSet) {
    this.#ruleSet = ruleSet;
  }

  /** Takes text up to what is not text, and returns how much that was. */
  append(piece: string): number {
    const { gate } = this.#ruleSet;
    const base = this.text.end;
    const seen: { readonly end: number; readonly hits: readonly GateHit[] }[] = [];
    const taken = gate.follow(piece, this.#gatePosition, (end, hits) => seen.push({ end: base + end, hits }));
    this.text.append(taken < piece.length ? piece.slice(0, taken) : piece);
    if (taken < piece.length)
      gate.restart(this.#gatePosition, this.text.slice(this.text.end - gate.longest, this.text.end));
    this.#advance("open");
    for (const { end, hits } of seen) if (end <= this.text.end) this.#look(end, hits);
    return taken;
  }

  /** Something that is not text was here; a word may go on behind it, and one may begin there. */
  join(position: number): void {
    this.#joints.push(position);
  }

  /** No more text will come. */
  finish(end: Exclude<TextEnd, "open">): void {
    this.#advance(end);
    this.#candidates = [];
    this.#growing = [];
    this.#gatePosition.row = 0;
  }

  /** A secret that is under way when the text begins. */
  beginInside(finding: Finding): void {
    this.#found(finding, -1);
  }

  /** Up to here all is known: no secret that is not in `spans` can begin before it. */
  get decided(): number {
    let decided = this.text.end - this.#ruleSet.gate.depthOf(this.#gatePosition);
    for (const { thing } of this.#candidates) decided = Math.min(decided, thing.start);
    for (const { span, growth } of this.#growing) if (growth.holdsBack) decided = Math.min(decided, span.end);
    return decided;
  }

  /** What stands before `position` has been told. Returns how many spans are gone from the beginning of the list. */
  forget(position: number): number {
    this.text.forget(position);
    const { base } = this.text;
    if ((this.#joints[0] ?? Infinity) < base) this.#joints = this.#joints.filter((joint) => joint >= base);
    let gone = 0;
    while ((this.spans[gone]?.end ?? Infinity) < base) gone += 1;
    this.spans.splice(0, gone);
    return gone;
  }

  #advance(end: TextEnd): void {
    if (this.#growing.length > 0)
      this.#growing = this.#growing.filter(({ span, growth }) => this.#grow(span, growth, end));
    if (this.#candidates.length === 0) return;
    const undecided = this.#candidates;
    this.#candidates = [];
    for (const { thing, rank } of undecided) this.#try(thing, rank, end);
  }

  #look(end: number, hits: readonly GateHit[]): void {
    for (const { rule: rank, length } of hits) {
      const start = end - length;
      if (this.#isCovered(rank, start)) continue;
      const place = { text: this.text, start, end, isWordStart: this.#isWordStart(start) };
      const candidate = this.#ruleSet.rules[rank]?.begin(place);
      if (candidate === undefined) continue;
      this.#lastTried[rank] = candidate;
      this.#try(candidate, rank, "open");
    }
  }

  /** True inside what the same rule has found, or what it has read in vain and need not read again. */
  #isCovered(rank: number, start: number): boolean {
    if (start < (this.#lastFound[rank]?.end ?? 0)) return true;
    return this.#lastTried[rank]?.covers?.(this.text, start) === true;
  }

  #try(candidate: Candidate, rank: number, end: TextEnd): void {
    const finding = candidate.advance(this.text, end);
    if (finding === undefined) this.#candidates.push({ thing: candidate, rank });
    else if (finding !== "none") this.#found(finding, rank);
  }

  #found({ kind, start, end, growth }: Finding, rank: number): void {
    const span: Span = { kind, start, end, rank };
    this.#lastFound[rank] = span;
    let index = this.spans.length;
    while (index > 0 && isBefore(span, this.spans[index - 1])) index -= 1;
    this.spans.splice(index, 0, span);
    if (growth !== undefined && this.#grow(span, growth, "open")) this.#growing.push({ span, growth });
  }

  /** True when it may grow on. */
  #grow(span: Span, growth: Growth, end: TextEnd): boolean {
    const grown = growth.grow(this.text, span.end, end);
    span.end = grown.end;
    return !grown.isOver;
  }

  #isWordStart(start: number): boolean {
    return (
      isWordStart(this.text, start) ||
      hasSorted(this.#joints, start) ||
      this.spans.slice(-spansInReach).some((span) => span.end === start)
    );
  }
}

function hasSorted(sorted: readonly number[], wanted: number): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === wanted;
}

function isBefore(span: Span, other: Span | undefined): boolean {
  if (other === undefined) return false;
  return span.start === other.start ? span.rank < other.rank : span.start < other.start;
}
