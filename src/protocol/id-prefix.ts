// What the command line must know of ids without the schemas, which would cost it tens of milliseconds.
export const processIdPrefix = "p_";
/** Fewer random characters than this name no process. */
export const shortestPrefix = 4;
