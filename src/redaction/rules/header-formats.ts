// Secrets that their surroundings tell: headers, credentials files, connection strings. The surroundings stay.
import type { SecretFormat } from "./secret-format.ts";

const quote = "\\\\{0,3}[\"']";
/** Between a header's name and its value: both in quotes as in JSON, or neither. A name in quotes before a bare value is code. */
const separator = `(?:${quote}[ \\t]{0,4}[:=][ \\t]{0,4}${quote}|[ \\t]{0,4}[:=][ \\t]{0,4}(?:${quote})?)`;
const token = "[A-Za-z0-9._~+/=:@!&*-]";
const schemes =
  "bearer|basic|token|apikey|api-key|key|negotiate|ntlm|oauth2?|jwt|dpop|mac|ssws|splunk|geniekey|sharedkey|private-token|bot";

const headers: readonly SecretFormat[] = [
  {
    kind: "authorization",
    beginnings: ["authorization"],
    ignoresCase: true,
    lead: `${separator}(?:${schemes})[ \\t]{1,4}`,
    body: "[A-Za-z0-9._~+/=-][A-Za-z0-9._~+/=:@!&*-]{7}",
    tail: token,
    before: "anything",
    needs: "value",
  },
  {
    // Parameters to the end of the line, some of them in quotes.
    kind: "authorization",
    beginnings: ["authorization"],
    ignoresCase: true,
    lead: `${separator}(?:digest|hawk|oauth|aws4-hmac-sha256|aws4-ecdsa-p256-sha256|signature|goog4-rsa-sha256)[ \\t]{1,4}`,
    body: "[A-Za-z_]{2,32}=[^\\s$<{]",
    tail: "[^\\r\\n\\0]",
    before: "anything",
  },
  {
    // No scheme.
    kind: "authorization",
    beginnings: ["authorization"],
    ignoresCase: true,
    lead: separator,
    body: "[A-Za-z0-9_~+/=-]{20}",
    tail: token,
    before: "anything",
    needs: "digit",
  },
  {
    // A scheme that nobody knows.
    kind: "authorization",
    beginnings: ["authorization"],
    ignoresCase: true,
    lead: `${separator}[A-Za-z][A-Za-z0-9-]{0,30}[ \\t]{1,4}`,
    body: "[A-Za-z0-9_~+/=-]{20}",
    tail: token,
    before: "anything",
    needs: "digit",
  },
  {
    // Away from its header, as logs have it.
    kind: "authorization",
    beginnings: ["bearer "],
    ignoresCase: true,
    lead: "[ \\t]{0,4}",
    body: "[A-Za-z0-9._~+/=-]{20}",
    tail: token,
    needs: "digit",
  },
  {
    kind: "header",
    beginnings: [
      ..."x-api-key api-key x-auth-token x-auth-key x-access-token private-token job-token".split(" "),
      ..."x-vault-token x-gitlab-token x-goog-api-key x-amz-security-token x-figma-token x-token".split(" "),
      ..."x-functions-key ocp-apim-subscription-key x-shopify-access-token dd-api-key dd-application-key".split(
        " ",
      ),
      ..."x-rapidapi-key x-consul-token x-nomad-token x-csrf-token x-xsrf-token x-honeycomb-team".split(" "),
    ],
    ignoresCase: true,
    lead: `(?:${quote}[ \\t]{0,4}:[ \\t]{0,4}${quote}|:[ \\t]{0,4})`,
    body: "[A-Za-z0-9._~+/=-]{8}",
    tail: token,
    needs: "value",
  },
  {
    // The first value that is long enough, and all that follows it.
    kind: "cookie",
    beginnings: ["cookie:"],
    ignoresCase: true,
    lead: "[ \\t]{0,4}(?:[A-Za-z0-9_.$-]{1,64}=[^;\\s\"'<>{}]{0,7};[ \\t]{0,2}){0,8}[A-Za-z0-9_.$-]{1,64}=",
    body: "[A-Za-z0-9%._~+/=!-][^\\s;,\"'<>{}\\\\]{7}",
    tail: "[^\\r\\n\\0\"']",
  },
];

const files: readonly SecretFormat[] = [
  {
    // .npmrc
    kind: "npm-token",
    beginnings: [":_authtoken", ":_auth", ":_password"],
    ignoresCase: true,
    lead: '[ \\t]{0,2}=[ \\t]{0,2}"?',
    body: "[A-Za-z0-9._~+/=-]{8}",
    tail: "[A-Za-z0-9._~+/=-]",
    before: "anything",
    needs: "value",
  },
  {
    // .netrc
    kind: "netrc-password",
    beginnings: ["machine "],
    lead: "[^\\s]{1,255}\\s{1,4}login\\s{1,4}[^\\s]{1,255}\\s{1,4}password\\s{1,4}[\"']?",
    body: "[^\\s\"']",
    tail: "[^\\s\"']",
    needs: "value",
  },
  {
    // The configuration of docker and of others that follow it.
    kind: "registry-auth",
    beginnings: ['"auth"'],
    lead: '\\s{0,4}:\\s{0,4}"',
    body: "[A-Za-z0-9+/]{15}[A-Za-z0-9+/=]",
    tail: "[A-Za-z0-9+/=]",
    before: "anything",
    needs: "digit",
  },
  {
    kind: "aws-secret-key",
    beginnings: ["secret_access_key", "secretaccesskey", "aws_secret_key"],
    ignoresCase: true,
    lead: separator,
    body: "[A-Za-z0-9+/]{40}",
    tail: "[A-Za-z0-9+/=]",
    before: "anything",
    needs: "digit",
  },
  {
    kind: "aws-session-token",
    beginnings: ["session_token", "sessiontoken"],
    ignoresCase: true,
    lead: separator,
    body: "[A-Za-z0-9+/=]{80}",
    tail: "[A-Za-z0-9+/=]",
    before: "anything",
    needs: "digit",
  },
  {
    kind: "azure-key",
    beginnings: ["accountkey=", "sharedaccesskey="],
    ignoresCase: true,
    lead: "",
    body: "[A-Za-z0-9+/]{40}",
    tail: "[A-Za-z0-9+/=]",
    before: "anything",
  },
  {
    kind: "wireguard-key",
    beginnings: ["PrivateKey", "PresharedKey"],
    lead: "[ \\t]{0,4}=[ \\t]{0,4}",
    body: "[A-Za-z0-9+/]{42}[A-Za-z0-9+/=]",
    tail: "[A-Za-z0-9+/=]",
  },
];

/** Addresses whose path is the secret: whoever knows it may post. */
const webhooks: readonly SecretFormat[] = [
  {
    kind: "slack-webhook",
    beginnings: ["hooks.slack.com/"],
    lead: "(?:services|workflows|triggers)/",
    body: "[A-Za-z0-9+/_-]{20}",
    tail: "[A-Za-z0-9+/_-]",
    before: "anything",
    needs: "digit",
  },
  {
    kind: "discord-webhook",
    beginnings: ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    lead: "[0-9]{8,24}/",
    body: "[A-Za-z0-9_-]{30}",
    before: "anything",
  },
  {
    kind: "teams-webhook",
    beginnings: [".webhook.office.com/webhookb2/"],
    lead: "",
    body: "[a-f0-9-]{30}",
    tail: "[A-Za-z0-9@/_-]",
    before: "anything",
  },
];

export const headerFormats: readonly SecretFormat[] = [...headers, ...files, ...webhooks];
