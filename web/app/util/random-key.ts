/** A key nobody else has. Not `crypto.randomUUID`: a page by plain HTTP from another machine does not have that. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
