// The part of the configuration that says who may enter.
import type { Config } from "../config/index.ts";

export type DashboardConfig = Config["dashboard"];
export type Users = DashboardConfig["users"];
export type OidcProviders = DashboardConfig["oidc"];
export type OidcConfig = OidcProviders[string];
export type ProxyConfig = NonNullable<DashboardConfig["proxy"]>;

/** Can people be told apart, wherever they come from? */
export function hasProvider({ users, oidc, proxy }: DashboardConfig): boolean {
  const namesPeople = proxy !== null && proxy.header !== null;
  return namesPeople || Object.keys(users).length > 0 || Object.keys(oidc).length > 0;
}
