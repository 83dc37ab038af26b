// A JSON-RPC message as far as anybody looks into it.

export type Fields = Readonly<Record<string, unknown>>;

export interface Message {
  readonly fields: Fields;
  /** Undefined for an answer. */
  readonly method: string | undefined;
  /** Undefined for a notification; two ids are the same when their JSON is. */
  readonly id: string | undefined;
  readonly params: Fields;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined for what is no single message: it passes as it is. */
export function readMessage(line: Buffer): Message | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(line.toString());
  } catch {
    return undefined;
  }
  if (!isFields(fields)) return undefined;
  const { id, method, params } = fields;
  return {
    fields,
    method: typeof method === "string" ? method : undefined,
    id: id === undefined ? undefined : JSON.stringify(id),
    params: isFields(params) ? params : {},
  };
}

export function messageText(fields: Fields): string {
  return `${JSON.stringify(fields)}\n`;
}
