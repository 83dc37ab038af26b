// Where a link of `holdfast open` leads. Its secret stands behind the #, which browsers keep to themselves: a script takes it out of
// the address and the history, and exchanges it for a cookie.
import { renderPage } from "./page.ts";

export const enterScriptPath = "/auth/enter.js";

export const enterScript = `const token = location.hash.slice(1);
history.replaceState(null, "", "/enter");
const answer = await fetch("/auth/exchange", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ token }),
}).catch(() => undefined);
if (answer?.ok) location.replace((await answer.json()).next);
else {
  const body = await answer?.json().catch(() => undefined);
  document.querySelector("h1").textContent = "This link does not let you in";
  document.querySelector("#told").textContent =
    body === undefined ? "The daemon does not answer." : body.error.message;
  document.querySelector("#hint").hidden = false;
}
`;

export function renderEnterPage(): string {
  return renderPage({
    title: "Signing in",
    head: `<script type="module" src="${enterScriptPath}"></script>\n`,
    body: `<p id="told" role="status">One moment.</p>
<p id="hint" hidden class="muted">Run <code>holdfast open</code> again: each link is good once, for a few minutes. <a href="/login">Other ways to sign in</a></p>
<noscript><p class="problem">The dashboard needs JavaScript.</p></noscript>`,
  });
}
