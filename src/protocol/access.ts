// Who may enter by the network, and how far: roles, what a caller is known by, and the addresses of the gate. Both ends use this file,
// so it has no zod and nothing of Node: a page must load fast.

/** viewer: sees. operator: acts. admin: also changes the configuration and who may enter. */
export const roles = ["viewer", "operator", "admin"] as const;
export type Role = (typeof roles)[number];

export function hasRole(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** How somebody proved who they are. link: by `holdfast open`. insecure: not at all, because the daemon was told to ask nobody. */
export type SignedInBy = "link" | "password" | "oidc" | "proxy" | "token" | "insecure";

/** Somebody who came by the network. A caller without it came by the Unix socket: the owner of the home, who may do everything. */
export interface Who {
  readonly name: string;
  readonly role: Role;
  readonly via: SignedInBy;
}

/** What GET /auth/me answers. */
export interface Me {
  readonly name: string;
  readonly role: Role;
  readonly provider: SignedInBy;
  /** When to sign in again; null: never. */
  readonly expiresAt: string | null;
}

/** What POST /auth/ticket answers: good for one WebSocket of whoever asked, for a short time. */
export interface Ticket {
  readonly ticket: string;
  readonly expiresAt: string;
}

export const accessPath = {
  me: "/auth/me",
  ticket: "/auth/ticket",
  logout: "/auth/logout",
  login: "/login",
} as const;

/** What a WebSocket speaks. A browser can send no header with it, so its ticket goes as a second protocol, never in the address. */
export const socketProtocol = "holdfast";
export const ticketPrefix = "holdfast.ticket.";

/** Close code of a stream whose caller signed out, was signed out, or whose time is over. */
export const signedOutCode = 4401;
