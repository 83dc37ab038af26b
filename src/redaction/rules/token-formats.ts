// Token formats that their issuers document: how each begins, and the least that must follow. Lengths are below the real
// ones on purpose: the beginning tells the token, and one that was cut short is still worth hiding.
// What has no beginning of its own (a bare UUID, 40 hexadecimal digits) is not here: it cannot be told from a hash.
import type { SecretFormat } from "./secret-format.ts";

const word = "[A-Za-z0-9_-]";
const base64 = "[A-Za-z0-9+/=_-]";
const dotted = "[A-Za-z0-9_.-]";
const hex = "[a-f0-9]";

/** A beginning that no ordinary word has: it counts also inside a word, as in TOKEN_ghp_… */
function strong(
  kind: string,
  beginnings: readonly string[],
  body: string,
  tail: string = word,
): SecretFormat {
  return { kind, beginnings, body, tail, before: "anything" };
}

/** A beginning that an ordinary word may contain: it counts at the start of one. */
function weak(kind: string, beginnings: readonly string[], body: string, tail: string = word): SecretFormat {
  return { kind, beginnings, body, tail };
}

const repositories: readonly SecretFormat[] = [
  strong("github-token", ["ghp_", "gho_", "ghu_", "ghr_"], "[A-Za-z0-9]{20}"),
  strong("github-token", ["ghs_"], "[A-Za-z0-9]{20}|[A-Za-z0-9]{1,19}_eyJ", dotted),
  strong("github-token", ["github_pat_"], "[A-Za-z0-9_]{20}"),
  strong(
    "gitlab-token",
    [
      ..."glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas-".split(" "),
      ..."glsoat- glffct- glwt- GR1348941".split(" "),
    ],
    `${word}{16}`,
    dotted,
  ),
  strong("bitbucket-token", ["ATBB", "ATCTT3"], "[A-Za-z0-9_=-]{24}", "[A-Za-z0-9_=-]"),
  strong("atlassian-token", ["ATATT3"], "[A-Za-z0-9_=-]{24}", "[A-Za-z0-9_=-]"),
  weak("sourcegraph-token", ["sgp_"], `(?:${hex}{16}_|local_)?${hex}{20}`),
  weak("sonar-token", ["squ_", "sqp_", "sqa_"], `${hex}{24}`),
  strong("circleci-token", ["CCIPAT_", "CCIPRJ_"], `${word}{16}`),
  strong("buildkite-token", ["bkua_"], `${hex}{20}`),
  strong("linear-token", ["lin_api_", "lin_oauth_"], "[A-Za-z0-9]{20}"),
  strong("postman-token", ["PMAK-"], `${hex}{20}`),
  strong("snyk-token", ["snyk_uat.", "snyk_sat."], "[A-Za-z0-9._-]{16}", dotted),
];

const registries: readonly SecretFormat[] = [
  weak("npm-token", ["npm_"], "[A-Za-z0-9]{30}"),
  strong("pypi-token", ["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZw"], `${word}{20}`),
  strong("rubygems-token", ["rubygems_"], `${hex}{24}`),
  weak("crates-token", ["cio"], "[A-Za-z0-9]{32}"),
  weak("nuget-token", ["oy2"], "[a-z0-9]{43}"),
  strong("clojars-token", ["CLOJARS_"], "[A-Za-z0-9]{30}"),
  strong("docker-token", ["dckr_pat_", "dckr_oat_"], `${word}{16}`),
  strong("docker-swarm-token", ["SWMTKN-1-", "SWMKEY-1-"], "[A-Za-z0-9+/-]{20}", base64),
  weak("artifactory-token", ["AKCp"], "[A-Za-z0-9]{60}"),
  strong("artifactory-token", ["cmVmdGtuO"], "[A-Za-z0-9+/]{24}", base64),
  strong("pulumi-token", ["pul-"], `${hex}{32}`),
];

const clouds: readonly SecretFormat[] = [
  weak("aws-access-key", ["AKIA", "ASIA", "ABIA", "ACCA"], "[A-Z2-7]{16}", "[A-Z0-9]"),
  strong("aws-bedrock-key", ["bedrock-api-key-"], "[A-Za-z0-9+/=]{20}", base64),
  weak("aws-bedrock-key", ["ABSK"], "[A-Za-z0-9+/]{80}", base64),
  weak("google-api-key", ["AIza"], `${word}{30}`),
  strong("google-token", ["ya29."], `${word}{20}`, dotted),
  strong("google-client-secret", ["GOCSPX-"], `${word}{20}`),
  weak("google-token", ["1//0"], `${word}{30}`),
  { ...weak("azure-client-secret", ["Q~"], "[A-Za-z0-9_~.-]{31}", "[A-Za-z0-9_~.-]"), before: "digit" },
  weak("alibaba-access-key", ["LTAI"], "[A-Za-z0-9]{16}"),
  weak("tencent-secret-id", ["AKID"], "[A-Za-z0-9]{32}"),
  weak("yandex-token", ["AQVN", "y0_"], `${word}{35}`),
  strong("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], `${hex}{32}`),
  strong("heroku-token", ["HRKU-AA"], `${word}{30}`),
  strong("fly-token", ["fo1_", "fm1a_", "fm1r_", "fm2_"], "[A-Za-z0-9+/_-]{40}", base64),
  strong("netlify-token", ["nfp_"], "[A-Za-z0-9]{30}"),
  strong("supabase-token", ["sbp_", "sb_secret_"], "[A-Za-z0-9_-]{20}"),
  strong(
    "planetscale-token",
    ["pscale_tkn_", "pscale_oauth_", "pscale_pw_"],
    "[A-Za-z0-9_.=-]{20}",
    "[A-Za-z0-9_.=-]",
  ),
  weak("databricks-token", ["dapi"], `${hex}{32}`),
  weak("cloudflare-key", ["v1.0-"], `${hex}{24}-${hex}{100}`),
  strong("terraform-token", [".atlasv1."], `${word}{40}`),
  strong("vault-token", ["hvs.", "hvb.", "hvr."], `${word}{20}`),
  strong(
    "doppler-token",
    ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
    "(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40}",
  ),
  strong("tailscale-key", ["tskey-"], `[a-z]{2,12}-${word}{12}`),
  strong("openshift-token", ["sha256~"], `${word}{40}`),
];

const models: readonly SecretFormat[] = [
  strong(
    "api-key",
    ["sk-ant-", "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-", "sk-lf-", "sk-None-"],
    `${word}{16}`,
  ),
  { ...weak("api-key", ["sk-"], "[A-Za-z0-9]{20}"), needs: "digit" },
  strong("huggingface-token", ["api_org_"], "[A-Za-z0-9]{30}"),
  weak("huggingface-token", ["hf_"], "[A-Za-z0-9]{30}"),
  strong("groq-key", ["gsk_"], "[A-Za-z0-9]{30}"),
  strong("xai-key", ["xai-"], "[A-Za-z0-9]{40}"),
  strong("perplexity-key", ["pplx-"], "[A-Za-z0-9]{30}"),
  weak("replicate-token", ["r8_"], "[A-Za-z0-9]{30}"),
  strong("together-key", ["tgp_v1_"], `${word}{20}`),
  strong("langsmith-key", ["lsv2_pt_", "lsv2_sk_"], `${hex}{20}`),
  strong("pinecone-key", ["pcsk_"], "[A-Za-z0-9_]{30}"),
  strong("nvidia-key", ["nvapi-"], `${word}{30}`),
  strong("tavily-key", ["tvly-"], `${word}{20}`),
  weak("e2b-key", ["e2b_"], `${hex}{30}`),
  strong("wandb-key", ["wandb_v1_"], `${word}{20}`),
];

const services: readonly SecretFormat[] = [
  strong(
    "slack-token",
    ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxc-", "xoxd-", "xoxe.xox", "xapp-"],
    "[A-Za-z0-9%+/-]{12}",
    "[A-Za-z0-9%+/=-]",
  ),
  strong(
    "stripe-key",
    ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"],
    "[A-Za-z0-9]{10}",
  ),
  { ...weak("webhook-secret", ["whsec_", "whsk_"], "[A-Za-z0-9+/=]{20}", base64), needs: "digit" },
  strong("square-token", ["sq0atp-", "sq0csp-"], `${word}{20}`),
  weak("facebook-token", ["EAA"], "[A-Za-z0-9]{90}"),
  strong("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"], "[A-Fa-f0-9]{24}"),
  weak("sendgrid-key", ["SG."], `${word}{16,64}\\.${word}{20}`, dotted),
  strong("brevo-key", ["xkeysib-", "xsmtpsib-"], `${hex}{32}`),
  weak("twilio-key", ["SK"], `${hex}{32}`),
  { ...weak("telegram-token", [":AA"], `${word}{32}`), before: "digit" },
  weak(
    "discord-token",
    discordBeginnings(),
    `[AEIMQUYcgk][w-z0-5](?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){3,6}[A-Za-z0-9_-]{0,4}\\.${word}{5,7}\\.${word}{27}`,
    dotted,
  ),
  weak("notion-token", ["ntn_", "secret_"], "[A-Za-z0-9]{40}"),
  strong("figma-token", ["figd_", "figo_"], `${word}{24}`),
  weak("airtable-token", ["pat"], `[A-Za-z0-9]{14}\\.${hex}{40}`, dotted),
  strong("contentful-token", ["CFPAT-"], `${word}{30}`),
  strong("hubspot-token", ["pat-na1-", "pat-na2-", "pat-eu1-", "pat-ap1-"], `${hex}{8}-${hex}{4}`),
  strong(
    "plaid-token",
    ["access-production-", "access-development-", "access-sandbox-"],
    `${hex}{8}-${hex}{4}`,
  ),
  strong("dynatrace-token", ["dt0c01.", "dt0s01.", "dt0s16."], "[A-Z2-7]{24}\\.[A-Z2-7]{30}", dotted),
  strong("grafana-token", ["glc_"], "[A-Za-z0-9+/]{32}", base64),
  strong("grafana-token", ["glsa_"], "[A-Za-z0-9]{32}_"),
  weak("grafana-token", ["eyJrIjoi"], "[A-Za-z0-9]{60}", base64),
  strong("sentry-token", ["sntrys_", "sntryu_"], "[A-Za-z0-9+/=_-]{30}", base64),
  strong("newrelic-key", ["NRAK-", "NRII-", "NRJS-"], `${word}{16}`),
  strong("typeform-token", ["tfp_"], `${word}{30}`, dotted),
  strong("duffel-token", ["duffel_live_", "duffel_test_"], "[A-Za-z0-9_=-]{24}"),
  weak("easypost-key", ["EZAK", "EZTK"], "[A-Za-z0-9]{54}"),
  strong("shippo-token", ["shippo_live_", "shippo_test_"], `${hex}{24}`),
  strong("readme-token", ["rdme_"], "[a-z0-9]{40}"),
  strong("prefect-token", ["pnu_", "pnb_"], "[A-Za-z0-9]{30}"),
  strong("mapbox-token", ["sk.eyJ"], `${word}{20}`, dotted),
  strong("age-key", ["AGE-SECRET-KEY-1"], "[A-Z0-9]{20}"),
  strong("1password-token", ["ops_eyJ"], "[A-Za-z0-9+/_-]{40}", base64),
  weak("1password-key", ["A3-"], "[A-Z0-9]{6}-[A-Z0-9]{6,11}-[A-Z0-9]{5}"),
  strong("adobe-secret", ["p8e-"], "[A-Za-z0-9_-]{24}"),
  strong("flutterwave-key", ["FLWSECK-", "FLWSECK_TEST-"], "[a-h0-9]{12}"),
  strong("frameio-token", ["fio-u-"], "[A-Za-z0-9_=-]{30}"),
];

/** Signed or encrypted: header, then claims or the parts of the encryption. */
const jsonWebTokens: readonly SecretFormat[] = [
  {
    kind: "jwt",
    beginnings: ["eyJ"],
    body: `${word}{8,}\\.(?:eyJ${word}{8}|${word}{16,}\\.${word}{10})`,
    tail: "[A-Za-z0-9_.=-]",
    isReadOnce: true,
  },
];

/** Base64 of -----BEGIN … PRIVATE KEY, as kubeconfig files and environment variables have it. */
const encodedKeys: readonly SecretFormat[] = [
  strong(
    "private-key",
    [
      ..."LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBSU0EgUFJJVkFURS LS0tLS1CRUdJTiBFQyBQUklWQVRF".split(" "),
      ..."LS0tLS1CRUdJTiBPUEVOU1NI LS0tLS1CRUdJTiBFTkNSWVBURUQ LS0tLS1CRUdJTiBEU0EgUFJJVkFURS".split(" "),
    ],
    "[A-Za-z0-9+/]{12}",
    base64,
  ),
];

export const tokenFormats: readonly SecretFormat[] = [
  ...repositories,
  ...registries,
  ...clouds,
  ...models,
  ...services,
  ...jsonWebTokens,
  ...encodedKeys,
];

/** The first part of a bot's token is its number, in base64: a digit and the next give these first characters. */
function discordBeginnings(): string[] {
  return ["M", "N", "O"].flatMap((first) => ["D", "T", "j", "z"].map((second) => first + second));
}
