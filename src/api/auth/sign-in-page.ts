// The sign-in page: every way there is, and what to do where there is none.
import type { DashboardConfig } from "../../access/index.ts";
import { escapeHtml, renderPage } from "./page.ts";

export interface SignInPage {
  readonly config: DashboardConfig;
  readonly next: string;
  /** What went wrong the last time. */
  readonly problem?: string;
}

const linkHint = `<p class="muted">On the machine of the daemon, <code>holdfast open</code> signs your browser in.</p>`;

export function renderSignInPage({ config, next, problem }: SignInPage): string {
  const told = problem === undefined ? "" : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`;
  const services = Object.entries(config.oidc).map(([name, { label }]) => serviceLink(name, label, next));
  const passwords = Object.keys(config.users).length > 0 ? passwordForm(next) : "";
  const between = passwords !== "" && services.length > 0 ? `<p class="or">or</p>` : "";
  const ways = services.length > 0 ? `<div class="ways">${services.join("\n")}</div>` : "";
  return renderPage({ title: "Sign in", body: [told, passwords, between, ways, linkHint].join("\n") });
}

function passwordForm(next: string): string {
  return `<form method="post" action="/auth/password">
<input type="hidden" name="next" value="${escapeHtml(next)}">
<label>Name <input name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>`;
}

function serviceLink(name: string, label: string | undefined, next: string): string {
  const address = `/auth/oidc/${encodeURIComponent(name)}?next=${encodeURIComponent(next)}`;
  return `<a class="button second" href="${escapeHtml(address)}">Sign in with ${escapeHtml(label ?? name)}</a>`;
}
