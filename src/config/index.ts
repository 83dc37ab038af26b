// The door of the configuration: where the home is, and what is configured.
export { resolveHome } from "./home.ts";
export type { Config } from "./schema.ts";
export { loadConfig } from "./load-config.ts";
export type { LoadedConfig, LoadOptions } from "./load-config.ts";
export { ConfigStore } from "./config-store.ts";
export type { ConfigCheck, ConfigReload, ConfigStoreOptions } from "./config-store.ts";
export type { DirectoryConfig } from "./project-configs.ts";
export { renderProblem } from "./layer.ts";
export type { ConfigProblem } from "./layer.ts";
export { reservedVariables } from "./keys.ts";
