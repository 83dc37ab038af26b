// The door of the HTTP and WebSocket adapters.
export { startApi } from "./start-api.ts";
export type { Api, ApiOptions } from "./start-api.ts";
