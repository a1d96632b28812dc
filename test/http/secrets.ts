// Two hundred and thirty secrets of the kinds that people paste into calls, all different and the same in every run.

export type Seeded = { kind: string; secret: string; args: Record<string, unknown> };

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Our own generator: with real randomness nobody could repeat a failure. */
function wordsFrom(seed: number): (length: number, alphabet?: string) => string {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return (length, alphabet = LETTERS) =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)] ?? "").join("");
}

type Make = (word: (length: number, alphabet?: string) => string) => Omit<Seeded, "kind">;
const HEX = "0123456789abcdef";
const command = (secret: string, text: string) => ({ secret, args: { command: text } });

const KINDS: Record<string, Make> = {
  "AWS key in a variable": (word) => {
    const secret = `AKIA${word(16).toUpperCase()}`;
    return command(secret, `AWS_ACCESS_KEY_ID=${secret} aws s3 rm s3://backups --recursive`);
  },
  "GitHub token in an address": (word) => {
    const secret = `ghp_${word(36)}`;
    return command(secret, `git push https://x:${secret}@git.example.com/a/b.git`);
  },
  "bearer in a header": (word) => {
    const secret = `t1${word(40)}`;
    return command(secret, `curl -X POST -H 'Authorization: Bearer ${secret}' https://api.example.com/pay`);
  },
  "password of a database": (word) => {
    const secret = `pw9${word(20)}`;
    return command(secret, `psql postgres://app:${secret}@db.example.com/main -c 'drop table users'`);
  },
  "an option of mysql": (word) => {
    const secret = `Correct${word(12, LETTERS.slice(0, 52))}`;
    return command(secret, `mysql -u root -p${secret} shop -e 'drop table users'`);
  },
  "user and password for curl": (word) => {
    const secret = `Horse${word(12, LETTERS.slice(0, 52))}`;
    return command(secret, `curl -sS -u bob:${secret} -X POST https://api.example.com/pay`);
  },
  "a variable with a short name": (word) => {
    const secret = `Battery${word(12, LETTERS.slice(0, 52))}`;
    return command(secret, `export TOK=${secret}; ./deploy.sh`);
  },
  "a flag": (word) => {
    const secret = `f7${word(20)}`;
    return command(secret, `deploy --password=${secret} --to production`);
  },
  "Slack token": (word) => {
    const secret = `xoxb-${word(12, "0123456789")}-${word(24)}`;
    return { secret, args: { channel: "general", text: `use ${secret} from now on` } };
  },
  "Stripe key": (word) => {
    const secret = `sk_live_${word(24)}`;
    return { secret, args: { config: { payments: secret } } };
  },
  "JSON web token": (word) => {
    const secret = `eyJ${word(20)}.eyJ${word(30)}.${word(40)}`;
    return { secret, args: { headers: { "x-session": secret } } };
  },
  "private key": (word) => {
    const secret = word(64);
    return { secret, args: { text: `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n` } };
  },
  "under the name of a secret": (word) => {
    const secret = `pl4in-${word(10)}`;
    return { secret, args: { user: "ana", password: secret } };
  },
  "nested under the name of a secret": (word) => {
    const secret = word(24);
    return { secret, args: { targets: [{ name: "a", api_key: secret }] } };
  },
  "a cookie": (word) => {
    const secret = word(32, HEX);
    return command(secret, `curl -X DELETE -H 'Cookie: sid=${secret}' https://api.example.com/me`);
  },
  "model provider key": (word) => {
    const secret = `sk-proj-1${word(40)}`;
    return { secret, args: { env: { MODEL_KEY: secret } } };
  },
  "Telegram bot token": (word) => {
    const secret = `${word(9, "123456789")}:${word(35)}`;
    return { secret, args: { note: `bot ${secret}` } };
  },
  "npm token": (word) => {
    const secret = `npm_${word(36)}`;
    return command(secret, `npm config set //registry.example.com/:_authToken ${secret}`);
  },
  "Google key": (word) => {
    const secret = `AIza${word(35)}`;
    return { secret, args: { query: `https://maps.example.com/?key=${secret}` } };
  },
  "a line of a file": (word) => {
    const secret = `z3${word(18)}`;
    return { secret, args: { path: "app.env", text: `PORT=80\nDB_PASSWORD=${secret}\nDEBUG=1\n` } };
  },
  "a query": (word) => {
    const secret = word(30, HEX);
    return { secret, args: { url: `https://api.example.com/v1?access_token=${secret}&page=2` } };
  },
  "GitLab token": (word) => {
    const secret = `glpat-${word(20)}`;
    return { secret, args: { items: ["a", secret] } };
  },
  "client secret": (word) => {
    const secret = word(40);
    return { secret, args: { oauth: { client_id: "web", client_secret: secret } } };
  },
};

export const SEEDED: readonly Seeded[] = Object.entries(KINDS).flatMap(([kind, make], at) => {
  const word = wordsFrom(at + 1);
  return Array.from({ length: 10 }, () => ({ kind, ...make(word) }));
});
