// Which variables a child may have, by name. docs/environment.md is made from these lists, and a test holds them against real names.

export interface NameRule {
  /** `*` stands for anything; capitals and small letters are the same. */
  readonly patterns: readonly string[];
  readonly why: string;
}

/** All that a terminal gets of an environment, besides what is set for it. */
export const terminalNames: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LC_MESSAGES",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "TEMP",
  "XDG_RUNTIME_DIR",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
];

/** Words of a name, between underscores, that make it a credential wherever they stand. */
export const credentialWords: readonly string[] = [
  "TOKEN",
  "AUTHTOKEN",
  "SECRET",
  "SECRETS",
  "PASSWD",
  "PASSPHRASE",
  "CREDENTIAL",
  "CREDENTIALS",
  "CREDS",
  "API_KEY",
  "API_KEYS",
  "ACCESS_KEY",
  "SECRET_KEY",
  "PRIVATE_KEY",
  "SIGNING_KEY",
  "ENCRYPTION_KEY",
  "MASTER_KEY",
  "ACCOUNT_KEY",
  "SERVICE_KEY",
  "DEPLOY_KEY",
  "SSH_KEY",
];

/** Names that are credentials by another sign than one of those words. */
export const credentialPatterns: readonly NameRule[] = [
  {
    patterns: ["*_KEY", "*APIKEY*", "*ACCESSKEY*", "*SECRETKEY*", "*PRIVATEKEY*"],
    why: "Keys of services: OPENAI_KEY, RAILS_MASTER_KEY, DD_APP_KEY.",
  },
  {
    patterns: ["*PASSWORD*", "*_PASS", "PASS", "*_PWD", "SSHPASS", "BORG_PASSCOMMAND"],
    why: "Passwords, with the word at any place: PGPASSWORD, SMTP_PASS, MYSQL_PWD; also the files and commands they come from.",
  },
  {
    patterns: ["*_PAT", "*_JWT", "*_COOKIE", "*_COOKIES"],
    why: "Personal access tokens, web tokens, session cookies and Erlang's node cookie.",
  },
  {
    patterns: ["*_AUTH", "*_AUTH_CONFIG", "*_BASIC_AUTH*", "*_AUTHORIZATION", "*_HEADERS"],
    why: "Logins to registries and headers that carry them: COMPOSER_AUTH, DOCKER_AUTH_CONFIG, OTEL_EXPORTER_OTLP_HEADERS.",
  },
  {
    patterns: [
      "DATABASE_URL",
      "*_DATABASE_URL",
      "DB_URL",
      "*_DB_URL",
      "POSTGRES_URL*",
      "POSTGRESQL_URL",
      "MYSQL_URL",
      "MONGO_URL",
      "MONGO_URI",
      "MONGODB_URL",
      "MONGODB_URI",
      "REDIS_URL",
      "AMQP_URL",
      "CLOUDAMQP_URL",
      "RABBITMQ_URL",
      "*_CONNECTION_STRING",
    ],
    why: "Addresses of databases and queues: by custom the password is part of them.",
  },
  {
    patterns: ["*_WEBHOOK", "*_WEBHOOK_URL"],
    why: "Whoever knows the address may post there.",
  },
  {
    patterns: [
      "ANTHROPIC_BASE_URL",
      "OPENAI_BASE_URL",
      "OPENAI_API_BASE",
      "AZURE_OPENAI_ENDPOINT",
      "GOOGLE_GEMINI_BASE_URL",
      "GOOGLE_VERTEX_BASE_URL",
    ],
    why: "Where the agent reaches its model: a program with a key of its own would send that key there.",
  },
];

/** Names that fit a rule above or look as if they should, and pass. */
export const harmlessPatterns: readonly NameRule[] = [
  {
    patterns: ["*_PUBLIC_KEY", "*_PUBLISHABLE_KEY", "*_ANON_KEY"],
    why: "The public half of a pair: KITTY_PUBLIC_KEY, STRIPE_PUBLISHABLE_KEY, SUPABASE_ANON_KEY.",
  },
  { patterns: ["*_CACHE_KEY"], why: "Names an entry of a cache." },
  {
    patterns: ["PASSWORD_STORE_*"],
    why: "Settings of pass(1); the store itself is encrypted.",
  },
  {
    patterns: ["GCM_CREDENTIAL_*"],
    why: "Tells Git Credential Manager which store to ask.",
  },
];

/** Names people ask about, decided: none of the rules above fits them. */
export const decidedNames: readonly NameRule[] = [
  {
    patterns: ["SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "GPG_TTY"],
    why: "A way to an agent that signs, not a key: nothing can be copied from it, and `git push` needs it.",
  },
  {
    patterns: ["GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS"],
    why: "Names a program that asks a person.",
  },
  {
    patterns: ["GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"],
    why: "Settings for Git, which fails altogether when one of them is missing.",
  },
  {
    patterns: ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"],
    why: "Without them there is no network; deny them by name if yours hold a password.",
  },
  {
    patterns: ["PIP_INDEX_URL", "UV_INDEX_URL", "GOPROXY", "NPM_CONFIG_REGISTRY"],
    why: "Without them a package manager asks the public registry for a private name, which is worse.",
  },
  {
    patterns: [
      "KUBECONFIG",
      "DOCKER_HOST",
      "DOCKER_CONFIG",
      "AWS_PROFILE",
      "AWS_CONFIG_FILE",
      "PGPASSFILE",
      "KRB5CCNAME",
      "XAUTHORITY",
    ],
    why: "Says which file or profile is meant; the usual one is readable without it.",
  },
  {
    patterns: ["SENTRY_DSN"],
    why: "Only lets a program send its reports; made to be shipped in web pages.",
  },
  {
    patterns: ["TOKENIZERS_PARALLELISM", "MAX_THINKING_TOKENS", "KEYBOARD_LAYOUT"],
    why: "Look alike only.",
  },
];
