// Values that stand for a secret in code and in documents: hiding them hides nothing but the sense of the line.

const templates: readonly RegExp[] = [
  // ${NAME}, $(…), $NAME, $1; {{ name }}, {name}, <name>, %s, %(name)s, %NAME%, #{…}, @NAME@, `…`
  /^\$(?:[({]|[A-Za-z_][A-Za-z0-9_]*$|[0-9@*#?$!-]$)/,
  /^(?:\{\{|\{[A-Za-z_.0-9]*\}?$|<[^>]*>|%[A-Za-z]$|%\([A-Za-z_]+\)s|%[A-Z_]+%$|#\{|@[A-Z_]+@$|`)/,
  // Filled in by somebody who hid the value, or left it out.
  /^(?:\*+|[xX]{3,}|\.{3,}|_+|-+|#+|…+)$/,
  // Ours.
  /^\[redacted:/,
];
const constantName = /^[A-Z_]+$/;
/** What documents ask their reader to put in. */
const asks = /^(?:your|insert|replace|example|placeholder)(?:[-_. ]|$)/i;

/** A reference to a value, or a value that is hidden already. */
export function isTemplate(value: string): boolean {
  return value === "" || templates.some((template) => template.test(value));
}

/** Also a word that asks for a value. */
export function looksLikePlaceholder(value: string): boolean {
  return isTemplate(value) || constantName.test(value) || asks.test(value);
}
