import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ViewEvent } from "./messages.ts";
import { Screen } from "./screen.ts";
import { ScreenViews } from "./screen-views.ts";
import { ViewFeed } from "./view-feed.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const windowBytes = 1_000_000;
// The last thousand lines of it are more than may wait for a viewer.
const lineBytes = 78;
const burst = Buffer.from(
  Array.from({ length: 2_000 }, (_, line) => `${String(line).padEnd(lineBytes, "x")}\r\n`).join(""),
);

/** A screen with so many viewers, and what each was sent. Time stands still unless a test lets it pass. */
function watched(viewerCount: number) {
  const sent = Array.from({ length: viewerCount }, (): ViewEvent[] => []);
  const views = new ScreenViews(() => views.flush(screen));
  const screen = new Screen(
    { offset: 0, columns: 80, rows: 24 },
    { onAnswer: () => undefined, onDrawn: (drawn) => views.drawn(drawn) },
  );
  const feeds = sent.map((events, view) => {
    const feed = new ViewFeed(windowBytes, (event) => events.push(event));
    views.add(view, feed, false);
    return feed;
  });
  const flood = (): void => {
    screen.push(burst);
    while (screen.isBehind) screen.draw(0);
    views.flush(screen);
  };
  const screensOf = (view: number): number =>
    (sent[view] ?? []).filter(({ kind }) => kind === "screen").length;
  return { screen, views, feeds, flood, screensOf };
}

function giveBack(feed: ViewFeed): void {
  feed.addCredit(10 * windowBytes);
}

test("one that cannot follow is sent the next picture when it has drawn the last, a frame apart", () => {
  const { screen, views, feeds, flood, screensOf } = watched(1);
  views.flush(screen);
  expect(screensOf(0)).toBe(1);
  flood();
  giveBack(feeds[0] as ViewFeed);
  expect(screensOf(0)).toBe(1);
  vi.advanceTimersByTime(17);
  expect(screensOf(0)).toBe(2);
  flood();
  vi.advanceTimersByTime(50);
  expect(screensOf(0)).toBe(2);
  giveBack(feeds[0] as ViewFeed);
  views.flush(screen);
  expect(screensOf(0)).toBe(3);
});

test("one that does not tell what it has drawn is sent a picture now and then, while it has credit", () => {
  const { screen, views, flood, screensOf } = watched(1);
  views.flush(screen);
  flood();
  vi.advanceTimersByTime(17);
  for (let count = 3; count < 6; count++) {
    flood();
    vi.advanceTimersByTime(99);
    expect(screensOf(0)).toBe(count - 1);
    vi.advanceTimersByTime(1);
    expect(screensOf(0)).toBe(count);
  }
  for (let rounds = 0; rounds < 20; rounds++) {
    flood();
    vi.advanceTimersByTime(100);
  }
  // The first, of an empty screen, and the last, while there is any credit.
  expect(screensOf(0)).toBeLessThan(windowBytes / (1_000 * lineBytes) + 2);
});

test("two that are behind are sent the same picture; one that is still drawing waits for its own", () => {
  const { screen, views, feeds, flood, screensOf } = watched(2);
  const [quick, slow] = feeds as [ViewFeed, ViewFeed];
  views.flush(screen);
  flood();
  giveBack(quick);
  giveBack(slow);
  vi.advanceTimersByTime(17);
  expect([screensOf(0), screensOf(1)]).toEqual([2, 2]);
  flood();
  giveBack(quick);
  views.flush(screen);
  vi.advanceTimersByTime(20);
  expect([screensOf(0), screensOf(1)]).toEqual([3, 2]);
  vi.advanceTimersByTime(100);
  expect([screensOf(0), screensOf(1)]).toEqual([3, 3]);
});

test("one that does not tell is sent its pictures, however many another one takes", () => {
  const { screen, views, feeds, flood, screensOf } = watched(2);
  const [quick] = feeds as [ViewFeed];
  views.flush(screen);
  flood();
  vi.advanceTimersByTime(17);
  for (let turn = 0; turn < 15; turn++) {
    flood();
    giveBack(quick);
    views.flush(screen);
    vi.advanceTimersByTime(20);
  }
  expect(screensOf(0)).toBeGreaterThan(10);
  expect(screensOf(1)).toBeGreaterThan(3);
});
