// The few pages that the daemon makes itself: for people who are not signed in. No script; the look is that of the dashboard.

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "");
}

export interface Page {
  readonly title: string;
  /** HTML; what is not ours in it is escaped. */
  readonly body: string;
  /** HTML for the head. */
  readonly head?: string;
}

export const pageStylePath = "/auth/pages.css";
export const htmlType = "text/html; charset=utf-8";

export function renderPage({ title, body, head = "" }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Holdfast</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${pageStylePath}">
${head}</head>
<body>
<main>
<p class="brand">Holdfast</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

export const pageStyle = `:root {
  color-scheme: light dark;
  --canvas: light-dark(#f7f8f8, #0f1315);
  --surface: light-dark(#ffffff, #151a1d);
  --sunken: light-dark(#eef0f1, #0b0e10);
  --line: light-dark(#dfe3e6, #283137);
  --line-strong: light-dark(#8a949c, #6b7a84);
  --text: light-dark(#14191d, #e6eaed);
  --muted: light-dark(#55616b, #9aa7b0);
  --accent: light-dark(#0f766e, #4fd1c5);
  --on-accent: light-dark(#ffffff, #06201e);
  --bad: light-dark(#b3261e, #ff8a80);
  --bad-soft: light-dark(#fce3e1, #41191a);
  --focus: light-dark(#0b67c2, #6db3ff);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100dvh;
  display: grid;
  place-items: center;
  padding: 1rem;
  background: var(--canvas);
  color: var(--text);
  font: 0.9375rem/1.5 ui-sans-serif, system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
main {
  width: 100%;
  max-width: 26rem;
  padding: 1.5rem;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}
h1 { margin: 0 0 0.75rem; font-size: 1.125rem; line-height: 1.5rem; }
p { margin: 0.75rem 0; }
.brand { margin: 0; color: var(--muted); font-size: 0.8125rem; font-weight: 600; }
.muted { color: var(--muted); }
.problem { padding: 0.5rem 0.75rem; border-radius: 0.375rem; background: var(--bad-soft); color: var(--bad); }
code {
  padding: 0.1rem 0.3rem;
  border-radius: 0.25rem;
  background: var(--sunken);
  font: 0.875em ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
form, .ways { display: grid; gap: 0.75rem; margin: 1rem 0 0; }
label { display: grid; gap: 0.25rem; font-weight: 500; }
input {
  height: 2.5rem;
  padding: 0 0.625rem;
  border: 1px solid var(--line-strong);
  border-radius: 0.375rem;
  background: var(--canvas);
  color: var(--text);
  font: inherit;
}
button, .button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: 2.5rem;
  padding: 0 0.875rem;
  border: 1px solid transparent;
  border-radius: 0.375rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  text-decoration: none;
  cursor: pointer;
}
.button.second { background: transparent; border-color: var(--line-strong); color: var(--text); }
.or { display: flex; align-items: center; gap: 0.75rem; margin: 1.25rem 0 0; color: var(--muted); font-size: 0.8125rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
`;
