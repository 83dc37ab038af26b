// The door of the client. Nothing of Node: see node.ts for programs on the daemon's machine.
export { Client } from "./client.ts";
export type { AttachOptions, ClientOptions, OutputStreamOptions } from "./client.ts";
export { Attachment } from "./attachment.ts";
export { connectBrowser } from "./browser.ts";
export type { EventsOptions } from "./event-stream.ts";
export { TerminalView } from "./terminal-view.ts";
export type { TerminalSize, TerminalViewHandlers, TerminalViewOptions } from "./terminal-view.ts";
export type { UsageOptions } from "./usage-stream.ts";
export type { Transport, TransportAnswer, TransportRequest, TransportSocket } from "./transport.ts";
export type { Verb, VerbGroup, Verbs } from "./verbs.ts";
export { accessPath, hasRole, roles } from "../protocol/access.ts";
export type { Me, Role, SignedInBy, Who } from "../protocol/access.ts";
