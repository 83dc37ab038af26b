import { describe, expect, test } from "vitest";
import { StreamRedactor } from "../stream-redactor.ts";
import { redactText } from "../redact-text.ts";
import { isSecretName } from "./secret-name.ts";

const mark = "[redacted:environment]";

describe("a dump of the environment", () => {
  test.for([
    ["PATH=/bin\nGITHUB_TOKEN=abc\nHOME=/h\n", `PATH=/bin\nGITHUB_TOKEN=${mark}\nHOME=/h\n`],
    ["DB_PASSWORD=a b c\r\nDB_USER=me\r\n", `DB_PASSWORD=${mark}\r\nDB_USER=me\r\n`],
    ["# mail\nMAIL_SECRET=abc\n\n# base\nBASE=x\n", `# mail\nMAIL_SECRET=${mark}\n\n# base\nBASE=x\n`],
    ["A=1\n\n# two\n\nB_KEY='x y'", `A=1\n\n# two\n\nB_KEY=${mark}`],
    ["A=1\0AWS_SECRET_ACCESS_KEY=abc/d\0B=2\0", `A=1\0AWS_SECRET_ACCESS_KEY=${mark}\0B=2\0`],
    ["export API_KEY=abc\nls", `export API_KEY=${mark}\nls`],
    ['declare -x PGPASSWORD="abc"', `declare -x PGPASSWORD=${mark}`],
    ["export my_token=abc", `export my_token=${mark}`],
    ["setenv API_TOKEN abc", `setenv API_TOKEN ${mark}`],
    ['$env:API_TOKEN = "abc"', `$env:API_TOKEN = ${mark}`],
    [
      '  "Env": [\n    "PATH=/bin",\n    "API_TOKEN=abc",\n  ]',
      `  "Env": [\n    "PATH=/bin",\n    "API_TOKEN=${mark}\n  ]`,
    ],
    [
      "    environment:\n      - A=1\n      - API_TOKEN=abc\n",
      `    environment:\n      - A=1\n      - API_TOKEN=${mark}\n`,
    ],
  ])("%j", ([text, redacted]) => {
    expect(redactText(text ?? "").text).toBe(redacted);
  });

  test("is known by the line before, also when it came long ago", () => {
    const stream = new StreamRedactor();
    const colors = `LS_COLORS=${"*.tar=01;31:".repeat(200)}\n`;
    const output = ["PATH=/bin\n", colors, "MY_TOK", "EN=", "ab", "cd", "efgh\n", "x"].map((piece) =>
      stream.push(piece),
    );
    expect(output.join("") + stream.end()).toBe(`PATH=/bin\n${colors}MY_TOKEN=${mark}\nx`);
  });
});

describe("everything else stays", () => {
  test.for([
    "API_KEY=abc",
    "Set API_KEY=abc and run it.\nThen see.",
    "run with\nAPI_KEY=abc\nin front",
    "const key = value;\nconst token = other;",
    "const KEY=1;\nconst TOKEN=2;",
    "token=abc\nkey=def\n",
    "KEY=$1\nTOKEN=$(cat file)\nSECRET=${SECRET:-}\n",
    "KEY=\nTOKEN=\n",
    "TOKEN_A=1,\nTOKEN_B=2,\n",
    "U_TOKEN=0x10100,  /* one */\nU_KEY=0x10101,  /* two */\n",
    "USE_TOKEN=true\nKEY_COUNT=12\nMAX_TOKENS=4096\n",
    "PWD=/somewhere\nOLDPWD=/else\nSSH_AUTH_SOCK=/run/agent\n",
    "KEY_FILE=/a/b\nTOKEN_URL=https://host/x\nACCESS_KEY_ID=ours\n",
    "  user=None,\n  password=None,\n",
    "https://host.example/?API_KEY=abc\nA=1",
    '<a\nHREF="x.html"\nACCESSKEY="P"\n>',
    `A=1\nKEY=${mark}\nTOKEN=<token>\nB_KEY=********\n`,
  ])("%j", (text) => {
    expect(redactText(text)).toEqual({ text, count: 0 });
  });
});

test("names are read by their words", () => {
  const secret =
    "GITHUB_TOKEN API_KEY PGPASSWORD MYSQL_PWD SECRET_KEY_BASE NPM_AUTH SENTRY_AUTH_TOKEN DJANGO_SECRET my_token";
  const harmless =
    "PWD MONKEY KEYBOARD TOKENIZER SECRETARY KEY_ID TOKEN_FILE SSH_AUTH_SOCK AUTHOR MAX_TOKENS COMPASS PATH";
  expect(secret.split(" ").filter((name) => !isSecretName(name))).toEqual([]);
  expect(harmless.split(" ").filter(isSecretName)).toEqual([]);
});
