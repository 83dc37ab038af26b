// The door of the gate: who may enter by the network.
export { Access, cookiePlace, describeWho } from "./access.ts";
export type { AccessOptions, Identity, SignedIn, Visit } from "./access.ts";
export { resolveBind } from "./bind-address.ts";
export type { BindAddress } from "./bind-address.ts";
export { cookieHeader, readCookie } from "./cookies.ts";
export { nextPath } from "./next-path.ts";
export { hasProvider } from "./settings.ts";
export type { DashboardConfig } from "./settings.ts";
export type { Request as GateRequest } from "./visitor.ts";
