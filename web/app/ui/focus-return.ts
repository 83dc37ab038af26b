// Where the focus goes when a dialog or a menu closes: back to where it was, unless something has taken it since, such as a terminal that was
// just opened. Dialogs here are asked for by stores, often out of a menu that is gone by then, so Radix knows of no button to go back to.

const layers = '[role="dialog"], [role="alertdialog"], [role="menu"], [data-radix-focus-guard]';
const focusable = "a[href], button, input, select, textarea, [tabindex]";

/** What was focused or pressed last, of what stays when dialogs and menus go. */
let last: HTMLElement | undefined;

function remember({ target }: Event): void {
  if (!(target instanceof Element) || target.closest(layers) !== null) return;
  last = target.closest<HTMLElement>(focusable) ?? last;
}

document.addEventListener("focusin", remember);
// The button of a menu takes no focus from the mouse; in Safari no button does.
document.addEventListener("pointerdown", remember, { capture: true });

function isTaken(): boolean {
  const { activeElement, body } = document;
  return activeElement !== null && activeElement !== body;
}

/** For onCloseAutoFocus. The opener counts where what was focused is not on the page any more. */
export function returnFocus(event: Event, opener?: HTMLElement | null): void {
  event.preventDefault();
  if (isTaken()) return;
  (last?.isConnected === true ? last : opener)?.focus();
  // It may be gone, or no longer be usable: a button that stopped what it belongs to.
  if (!isTaken()) document.getElementById("main")?.focus();
}
