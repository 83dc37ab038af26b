// Nobody listens where strangers are without knowing how to tell them apart.
import { hasProvider, resolveBind, type BindAddress, type DashboardConfig } from "../../access/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";

/**
 * What to listen on.
 * @throws HoldfastError CONFIG_INVALID: others could reach it, and nobody would be asked who they are; DASHBOARD_UNAVAILABLE
 */
export async function safeBind(config: DashboardConfig, isInsecure: boolean): Promise<BindAddress> {
  const bind = await resolveBind(config.bind);
  if (bind.isLoopback || isInsecure || hasProvider(config)) return bind;
  throw new HoldfastError(
    "CONFIG_INVALID",
    `dashboard.bind: ${config.bind} can be reached from other machines, and there is no way to sign in.`,
    {
      hint: "Set dashboard.users, dashboard.oidc or dashboard.proxy with its header; or listen on 127.0.0.1. `daemon run --insecure` lets everybody do everything.",
      details: { bind: config.bind, address: bind.address },
    },
  );
}

/** As safeBind; a name that cannot be resolved now is no danger: it is told when it is listened on. */
export async function refuseExposed(config: DashboardConfig, isInsecure: boolean): Promise<void> {
  if (config.listen === "never") return;
  await safeBind(config, isInsecure).catch((error: unknown) => {
    if (error instanceof HoldfastError && error.code === "CONFIG_INVALID") throw error;
  });
}

/** The flag is given to `daemon run` alone; the variable is for what starts daemons by itself. No file has either. */
export function isInsecureWanted(asked: {
  readonly isInsecure?: boolean;
  readonly environment: NodeJS.ProcessEnv;
}): boolean {
  return asked.isInsecure === true || asked.environment["HOLDFAST_DASHBOARD_INSECURE"] === "1";
}
