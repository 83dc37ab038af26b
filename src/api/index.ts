// The door of the HTTP and WebSocket adapters.
export { startApi } from "./start-api.ts";
export type { Api, ApiOptions } from "./start-api.ts";
export type { Certificate, NetworkApi, NetworkApiOptions } from "./start-network-api.ts";
export type { RouteOptions } from "./create-app.ts";
export type { McpClient, McpFetch } from "./http/mcp-route.ts";
