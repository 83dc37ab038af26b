import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  credentialPatterns,
  credentialWords,
  decidedNames,
  harmlessPatterns,
  terminalNames,
} from "./environment-names.ts";
import { defaultPolicy, isCredentialName, matchesPattern, mayPass } from "./environment-policy.ts";

// Names as shells, agents, build servers and clouds really use them.
const withheld = `
  OPENAI_API_KEY ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL ANTHROPIC_CUSTOM_HEADERS CLAUDE_CODE_OAUTH_TOKEN
  GEMINI_API_KEY GOOGLE_API_KEY XAI_API_KEY GROQ_API_KEY OPENROUTER_API_KEY AZURE_OPENAI_API_KEY HF_TOKEN OPENAI_BASE_URL
  AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK GOOGLE_APPLICATION_CREDENTIALS
  AZURE_CLIENT_SECRET ARM_ACCESS_KEY AZURE_STORAGE_CONNECTION_STRING DIGITALOCEAN_ACCESS_TOKEN CLOUDFLARE_API_TOKEN
  GH_TOKEN GITHUB_TOKEN GITHUB_PAT GITLAB_TOKEN CI_JOB_TOKEN CI_JOB_JWT ACTIONS_RUNTIME_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN
  ACTIONS_ID_TOKEN_REQUEST_URL BUILDKITE_AGENT_ACCESS_TOKEN AZURE_DEVOPS_EXT_PAT NPM_TOKEN NODE_AUTH_TOKEN npm_config__authToken
  CARGO_REGISTRY_TOKEN TWINE_PASSWORD PYPI_API_TOKEN COMPOSER_AUTH DOCKER_AUTH_CONFIG TF_TOKEN_app_terraform_io TF_VAR_db_password
  VAULT_TOKEN CONSUL_HTTP_TOKEN SLACK_BOT_TOKEN SLACK_SIGNING_SECRET SLACK_WEBHOOK_URL TELEGRAM_BOT_TOKEN DISCORD_TOKEN
  STRIPE_SECRET_KEY TWILIO_AUTH_TOKEN SENDGRID_API_KEY DD_API_KEY DD_APP_KEY SENTRY_AUTH_TOKEN DATABASE_URL REDIS_URL MONGODB_URI
  PGPASSWORD MYSQL_PWD MYSQL_ROOT_PASSWORD DB_PASS SMTP_PASSWORD RESTIC_PASSWORD_FILE BORG_PASSPHRASE SSHPASS SUDO_PASSWORD
  SECRET_KEY_BASE DJANGO_SECRET_KEY RAILS_MASTER_KEY JWT_SECRET COOKIE_SECRET RELEASE_COOKIE DEPLOY_KEY SSH_PRIVATE_KEY
  CREDENTIALS_DIRECTORY OTEL_EXPORTER_OTLP_HEADERS VSCODE_GIT_IPC_AUTH_TOKEN PASSWORD TOKEN SECRET API_KEY
`;
const passed = `
  PATH HOME USER LOGNAME SHELL LANG LC_ALL TZ TMPDIR TERM COLORTERM EDITOR PAGER DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR
  XDG_SESSION_ID DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK SSH_AGENT_PID SSH_CONNECTION GPG_TTY GNUPGHOME KRB5CCNAME XAUTHORITY
  GIT_ASKPASS SSH_ASKPASS GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 GIT_AUTHOR_EMAIL HTTP_PROXY https_proxy NO_PROXY
  PIP_INDEX_URL GOPROXY NPM_CONFIG_REGISTRY VIRTUAL_ENV CONDA_PREFIX PYTHONPATH NODE_OPTIONS NVM_DIR PYENV_ROOT GOPATH JAVA_HOME
  CARGO_HOME RUSTFLAGS LD_LIBRARY_PATH CI GITHUB_ACTIONS GITHUB_SHA GITHUB_WORKSPACE KUBECONFIG DOCKER_HOST AWS_PROFILE AWS_REGION
  VAULT_ADDR AZURE_CLIENT_ID SENTRY_DSN TOKENIZERS_PARALLELISM MAX_THINKING_TOKENS KEYBOARD_LAYOUT KITTY_PUBLIC_KEY
  SUPABASE_ANON_KEY TURBO_CACHE_KEY PASSWORD_STORE_DIR GCM_CREDENTIAL_STORE HISTFILE LS_COLORS PGHOST PGUSER PGPASSFILE
  HOLDFAST_HOME HOLDFAST_SESSION CLAUDECODE ANTHROPIC_MODEL BASH_FUNC_module%%
`;
const namesIn = (text: string): string[] => text.split(/\s+/).filter((name) => name !== "");

const nothing = { pass: [], deny: [], allow: [] };
const command = { policy: "command", pass: [], lists: nothing } as const;
const terminal = { policy: "terminal", pass: [], lists: nothing } as const;

test("real names, as a command of an agent gets them", () => {
  const all = [...namesIn(withheld), ...namesIn(passed)];
  expect(new Set(all).size).toBeGreaterThanOrEqual(160);
  expect(all).toHaveLength(new Set(all).size);
  expect(namesIn(withheld).filter((name) => mayPass(name, command))).toEqual([]);
  expect(namesIn(passed).filter((name) => !mayPass(name, command))).toEqual([]);
});

test("the same names, as a terminal gets them: its list and nothing else", () => {
  const all = [...namesIn(withheld), ...namesIn(passed)];
  expect(all.filter((name) => mayPass(name, terminal)).toSorted()).toEqual(
    terminalNames.filter((name) => all.includes(name)).toSorted(),
  );
  for (const name of terminalNames) expect(mayPass(name, terminal), name).toBe(true);
});

test("every rule has a name it decides, and every decided name passes", () => {
  const seen = namesIn(withheld);
  for (const word of credentialWords) expect(isCredentialName(`X_${word}`), word).toBe(true);
  for (const { patterns, why } of credentialPatterns) {
    expect(
      seen.some((name) => patterns.some((pattern) => matchesPattern(name, pattern))),
      why,
    ).toBe(true);
  }
  for (const { patterns, why } of harmlessPatterns) {
    expect(
      namesIn(passed).some((name) => patterns.some((pattern) => matchesPattern(name, pattern))),
      why,
    ).toBe(true);
  }
  for (const name of decidedNames.flatMap(({ patterns }) => patterns)) {
    expect(isCredentialName(name), name).toBe(false);
  }
});

test("the configuration denies, its own names pass, and a caller passes what is not denied", () => {
  const lists = { pass: ["CORP_REGION", "GH_TOKEN"], deny: ["CORP_*", "SSH_AUTH_SOCK"], allow: ["NVM_*"] };
  const choice = { policy: "command", pass: ["NPM_TOKEN", "CORP_NAME"], lists } as const;
  const may = (name: string): boolean => mayPass(name, choice);
  expect(["CORP_REGION", "GH_TOKEN", "NPM_TOKEN", "EDITOR"].every(may)).toBe(true);
  expect(["CORP_NAME", "SSH_AUTH_SOCK", "GITHUB_TOKEN"].some(may)).toBe(false);
  expect(mayPass("NVM_DIR", { ...choice, policy: "terminal" })).toBe(true);
  expect(mayPass("corp_name", { ...choice, policy: "terminal" })).toBe(false);
  expect(mayPass("CORP_NAME", { ...choice, policy: "caller" })).toBe(true);
});

test("whoever belongs to a session or a task is taken for an agent", () => {
  expect(defaultPolicy({})).toBe("caller");
  expect(defaultPolicy({ session: "s" })).toBe("command");
  expect(defaultPolicy({ task: "t" })).toBe("command");
});

test("a pattern means what a shell means by *, and costs no more than its length", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "_"), maxLength: 12 });
  const patterns = fc.string({ unit: fc.constantFrom("a", "b", "_", "*"), maxLength: 8 });
  fc.assert(
    fc.property(letters, patterns, (name, pattern) => {
      const expected = new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "i").test(name);
      expect(matchesPattern(name, pattern)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
  const begun = performance.now();
  expect(matchesPattern("a".repeat(100_000), `${"*a".repeat(40)}*b`)).toBe(false);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
