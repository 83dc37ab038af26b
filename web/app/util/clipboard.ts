// Copying, also where the page came by plain HTTP from another machine: there browsers have no `navigator.clipboard`.

/** @throws Error that says what to do */
export async function copyToClipboard(text: string): Promise<void> {
  if ((await isWritten(text)) || isCopiedBySelection(text)) return;
  throw new Error(
    "The browser does not let this page copy. Select the text and copy it with the browser's own menu, or open the dashboard by HTTPS",
  );
}

async function isWritten(text: string): Promise<boolean> {
  if (!isSecureContext) return false;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // not allowed: the other way may be
  }
}

/** The old way: a selection is copied, and this text is put in its place. */
function isCopiedBySelection(text: string): boolean {
  const focused = document.activeElement;
  const selection = getSelection();
  const selected = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
  // Some browsers copy nothing where nothing is selected.
  const place = document.createElement("span");
  place.textContent = ".";
  place.className = "fixed top-0 opacity-0 select-text";
  document.body.append(place);
  selection?.selectAllChildren(place);
  let isTaken = false;
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation(); // a terminal would put its own selection there
    isTaken = event.clipboardData !== null;
  };
  document.addEventListener("copy", give, { capture: true });
  try {
    return document.execCommand("copy") && isTaken;
  } finally {
    document.removeEventListener("copy", give, { capture: true });
    place.remove();
    selection?.removeAllRanges();
    if (selected !== undefined) selection?.addRange(selected);
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
