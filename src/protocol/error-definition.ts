// What a category of errors means everywhere: HTTP status, exit code of the command line, retry rule.

interface CategoryRule {
  readonly httpStatus: number;
  readonly exitCode: number;
  readonly retryable: boolean;
}

const categories = {
  invalid: { httpStatus: 400, exitCode: 2, retryable: false },
  unauthenticated: { httpStatus: 401, exitCode: 4, retryable: false },
  denied: { httpStatus: 403, exitCode: 4, retryable: false },
  not_found: { httpStatus: 404, exitCode: 5, retryable: false },
  conflict: { httpStatus: 409, exitCode: 6, retryable: false },
  gone: { httpStatus: 410, exitCode: 6, retryable: false },
  limit: { httpStatus: 429, exitCode: 7, retryable: true },
  unavailable: { httpStatus: 503, exitCode: 3, retryable: true },
  timeout: { httpStatus: 504, exitCode: 8, retryable: true },
  internal: { httpStatus: 500, exitCode: 70, retryable: false },
} as const satisfies Record<string, CategoryRule>;

export type ErrorCategory = keyof typeof categories;

interface ErrorText {
  /** What happened, one sentence. */
  readonly summary: string;
  /** What to do next, one sentence. */
  readonly hint: string;
}

export interface ErrorDefinition extends CategoryRule, ErrorText {
  readonly category: ErrorCategory;
}

/** A row of the registry. `retryable` is given only where a code departs from its category. */
export function define(
  category: ErrorCategory,
  text: ErrorText,
  rule: { readonly retryable?: boolean } = {},
): ErrorDefinition {
  return { category, ...categories[category], ...text, ...rule };
}
