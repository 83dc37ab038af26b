// The thread of all terminal emulators: drawing never holds up the daemon. Started by thread-link.ts.
import { parentPort } from "node:worker_threads";
import { ofFailure, toFailure } from "../../protocol/thread-failure.ts";
import { LiveScreen } from "./live-screen.ts";
import type { Followed, FromThread, ToThread } from "./messages.ts";
import { Slices } from "./slices.ts";
import { ViewFeed } from "./view-feed.ts";

const sweepMs = 5_000;
// Long enough that a shell somebody works in is there at once; an emulator takes 2 MB and more.
const idleMs = 60_000;

const slices = new Slices();
const screens = new Map<string, LiveScreen>();
const views = new Map<number, { readonly screen: LiveScreen; readonly feed: ViewFeed }>();
const recoveries = new Map<number, PromiseWithResolvers<"kept" | "ended">>();
let calls = 0;

function tell(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

async function recover(id: string): Promise<"kept" | "ended"> {
  const call = ++calls;
  const recovered = Promise.withResolvers<"kept" | "ended">();
  recoveries.set(call, recovered);
  tell({ kind: "recover", id, call });
  return await recovered.promise;
}

function screenOf({ id, directory, isNew }: Followed): LiveScreen {
  const found = screens.get(id);
  if (found !== undefined) return found;
  const screen = new LiveScreen({
    followed: { id, directory, isNew },
    target: { directory, recover: () => recover(id) },
    slices,
    onProblem: (error) => tell({ kind: "problem", id, failure: toFailure(error) }),
    onBroken: () => {
      if (screens.get(id) === screen) screens.delete(id);
      void screen.abandon();
    },
  });
  screens.set(id, screen);
  return screen;
}

function view(message: Extract<ToThread, { kind: "view" }>): void {
  const feed = new ViewFeed(message.credit, (event) =>
    tell({ kind: "view-event", view: message.view, event }),
  );
  const screen = screenOf(message);
  views.set(message.view, { screen, feed });
  screen.addView(message.view, feed);
}

async function look({ call, ...followed }: Extract<ToThread, { kind: "look" }>): Promise<void> {
  try {
    tell({ kind: "looked", call, look: await screenOf(followed).look() });
  } catch (error) {
    tell({ kind: "not-looked", call, failure: toFailure(error) });
  }
}

async function close(call: number): Promise<void> {
  clearInterval(sweeper);
  await Promise.all([...screens.values()].map((screen) => screen.close()));
  tell({ kind: "closed", call });
}

function forget(id: string): void {
  const screen = screens.get(id);
  screens.delete(id);
  void screen?.abandon();
}

function settleRecovery({ call, outcome }: Extract<ToThread, { kind: "recovered" }>): void {
  const waiting = recoveries.get(call);
  recoveries.delete(call);
  if ("result" in outcome) waiting?.resolve(outcome.result);
  else waiting?.reject(ofFailure(outcome.failure));
}

function receive(message: ToThread): void {
  switch (message.kind) {
    case "follow":
      screenOf(message);
      break;
    case "forget":
      forget(message.id);
      break;
    case "look":
      void look(message);
      break;
    case "view":
      view(message);
      break;
    case "credit":
      views.get(message.view)?.feed.addCredit(message.bytes);
      views.get(message.view)?.screen.viewIsReady();
      break;
    case "unview":
      views.get(message.view)?.screen.removeView(message.view);
      views.delete(message.view);
      break;
    case "close":
      void close(message.call);
      break;
    case "recovered":
      settleRecovery(message);
      break;
  }
}

/** Emulators that nobody needs now are put away; of ended processes nothing is kept here. */
function sweep(): void {
  for (const [id, screen] of screens) {
    if (screen.idleMs < idleMs) continue;
    if (screen.hasEnded) {
      screens.delete(id);
      void screen.close();
    } else if (screen.isAwake) void screen.putAway();
  }
}

const sweeper = setInterval(sweep, sweepMs);
parentPort?.on("message", receive);
