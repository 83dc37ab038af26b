// Short messages that go away by themselves; errors stay until they are closed. At most a few at once.
import { X } from "lucide-react";
import { Link } from "react-router";
import { errorText } from "~/api/client.ts";
import { createStore, useStore } from "~/util/store.ts";
import type { Tone } from "~/util/exit-text.ts";

export interface ToastMessage {
  readonly id: number;
  readonly tone: Tone;
  readonly title: string;
  readonly text?: string | undefined;
  /** A page of the dashboard that tells more. */
  readonly href?: string | undefined;
}

const mostShown = 4;
const shownMs = 6_000;
const toasts = createStore<readonly ToastMessage[]>([]);
let lastId = 0;

export function showToast(toast: Omit<ToastMessage, "id">): void {
  lastId += 1;
  const id = lastId;
  toasts.set([...toasts.get(), { ...toast, id }].slice(-mostShown));
  if (toast.tone !== "bad") setTimeout(() => closeToast(id), shownMs);
}

export function showError(title: string, error: unknown): void {
  const { message, hint, code } = errorText(error);
  const sentences = [message.replace(/\.$/, ""), hint?.replace(/\.$/, "")].filter(Boolean).join(". ");
  showToast({ tone: "bad", title, text: code === undefined ? sentences : `${sentences} (${code})` });
}

function closeToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

const edges: Record<Tone, string> = {
  good: "border-l-good",
  warn: "border-l-warn",
  bad: "border-l-bad",
  info: "border-l-info",
  neutral: "border-l-line-strong",
};

export function Toasts() {
  const shown = useStore(toasts);
  return (
    // Above the bars at the lower edge of pages, which have buttons of their own.
    <div
      role="log"
      aria-label="Messages"
      aria-live="polite"
      className="pointer-events-none fixed right-3 bottom-16 z-50 flex w-[min(24rem,calc(100vw-1.5rem))] flex-col gap-2"
    >
      {shown.map(({ id, tone, title, text, href }) => (
        <div
          key={id}
          className={`pointer-events-auto flex items-start gap-2 rounded-md border border-l-4 border-line bg-raised p-3 shadow-lg ${edges[tone]}`}
        >
          <div className="min-w-0 flex-1">
            <p className="font-medium break-words">
              {href === undefined ? (
                title
              ) : (
                <Link className="hover:underline" to={href}>
                  {title}
                </Link>
              )}
            </p>
            {text === undefined ? null : <p className="break-words text-muted">{text}</p>}
          </div>
          <button
            type="button"
            aria-label="Close message"
            className="rounded p-1 text-muted hover:bg-sunken"
            onClick={() => closeToast(id)}
          >
            <X size={14} aria-hidden />
          </button>
        </div>
      ))}
    </div>
  );
}
