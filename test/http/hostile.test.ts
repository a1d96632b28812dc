import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { apiRoutes } from "../../src/http/api.ts";
import { WEB_ROUTES } from "../../src/web/pages.ts";
import { cookieOf } from "./cast.ts";
import { dial, exchanged, statusOf } from "./raw.ts";
import { PASSPHRASE, type Served, served } from "./served.ts";

let on: Served;
let token: string;
let cookie: string;
beforeAll(async () => {
  on = await served();
  token = await on.token({ agent: "coder" });
  cookie = await cookieOf(on, "ana");
});
afterAll(() => on.remove());

// Whatever arrives, the server never fails: no response has a 5xx status, and the log has only plain facts.
let looked = 0;
afterEach(() => {
  const lines = on.logged.slice(looked);
  looked = on.logged.length;
  expect(lines.filter((line) => line.error !== undefined || line.status >= 500)).toEqual([]);
  expect(on.warned).toEqual([]);
  expect(JSON.stringify(lines)).not.toMatch(/SECRET|lwy_|correct horse/);
});

const READ = { tool: "read_file", args: { path: "a.txt" } };
const code = (reply: { status: number; body: { error?: { code: string } } }) => [reply.status, reply.body?.error?.code];
const head = (more: string, path = "/healthz", method = "GET") =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${on.port}\r\nConnection: close\r\n${more}\r\n`;
const posted = (body: string | Buffer, more = "", path = "/v1/calls") =>
  Buffer.concat([
    Buffer.from(
      head(
        `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more}`,
        path,
        "POST",
      ),
    ),
    Buffer.from(body),
  ]);

describe("hosts, origins and cookies", () => {
  test.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:4141", "127.0.0.1:4141@evil", ""])(
    "a request for the host %j is refused",
    async (host) => {
      const answer = await exchanged(on.port, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(answer).toContain("LEEWAY_CROSS_SITE");
      expect(statusOf(answer)).toBe(403);
    },
  );

  test("a header that decides and is sent twice is refused, also if both say the same", async () => {
    const each = [
      `Host: 127.0.0.1:${on.port}`,
      `Authorization: Bearer ${token}\r\nAuthorization: Bearer ${token}`,
      `Authorization: Bearer ${token}\r\nauthorization: Bearer x`,
      `Cookie: ${cookie}\r\nCookie: a=b`,
      `Origin: ${on.url}\r\nOrigin: https://evil.example`,
      "Content-Type: application/json\r\nContent-Type: text/plain",
      "Referer: http://a.example/\r\nReferer: http://b.example/",
      "Content-Length: 0\r\nContent-Length: 0",
      "Transfer-Encoding: chunked\r\nContent-Length: 4",
      "Idempotency-Key: a\r\nIdempotency-Key: a",
    ];
    const answers = await Promise.all(each.map((more) => exchanged(on.port, head(`${more}\r\n`, "/v1/me"))));
    expect(answers.map((answer) => statusOf(answer))).toEqual(each.map(() => 400));
    expect(answers[1]).toContain("authorization: the request has this header more than once");
    const plain = head(`Authorization: Bearer ${token}\r\nAccept: text/html\r\nAccept: */*\r\n`);
    expect(statusOf(await exchanged(on.port, plain))).toBe(200);
  });

  test("a request with no host or with two hosts is refused", async () => {
    expect(statusOf(await exchanged(on.port, "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"))).toBe(400);
    const twice = await exchanged(on.port, head("Host: evil.example\r\n"));
    expect([200, 400, 403]).toContain(statusOf(twice));
    expect(twice).not.toContain("evil");
  });

  const origins = [
    "null",
    "http://evil.example",
    "http://127.0.0.1:1",
    "https://127.0.0.1:PORT",
    "http://127.0.0.1:PORT.evil.example",
    "http://evil@127.0.0.1:PORT/x",
    "",
    undefined,
  ];
  test.each(origins)("a cookie with the origin %j changes nothing", async (given) => {
    const origin = given?.replace("PORT", String(on.port));
    const headers: Record<string, string> = { cookie, "content-type": "application/json" };
    if (origin !== undefined) headers["origin"] = origin;
    const body = JSON.stringify({ of: "everything", because: "forged" });
    const answer = await fetch(`${on.url}/v1/pauses`, { method: "POST", body, headers });
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      403,
      "LEEWAY_CROSS_SITE",
    ]);
    expect((await on.ask("GET", "/v1/pauses", { cookie })).body).toEqual({ pauses: [] });
  });

  test("a form on another site changes nothing and signs nobody in", async () => {
    const form = new URLSearchParams({ of: "everything", because: "forged", name: "ana", passphrase: PASSPHRASE });
    for (const path of ["/v1/pauses", "/sign-in", "/sign-out", "/v1/sign-in/passkey/options"]) {
      const headers = { cookie, origin: "http://evil.example" };
      const answer = await fetch(on.url + path, { method: "POST", body: form, headers, redirect: "manual" });
      expect([path, answer.status, answer.headers.get("set-cookie")]).toEqual([path, 403, null]);
    }
    expect((await on.ask("GET", "/v1/me", { cookie })).status).toBe(200);
  });

  test("content types that another site may send without permission, such as forms and plain text, are refused", async () => {
    const wrong = ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", ""];
    for (const type of wrong) {
      const answer = await fetch(`${on.url}/v1/calls`, {
        method: "POST",
        body: Buffer.from(JSON.stringify(READ)),
        headers: { authorization: `Bearer ${token}`, ...(type === "" ? {} : { "content-type": type }) },
      });
      expect([type, answer.status]).toEqual([type, 400]);
    }
  });

  test.each(["garbage", "sin_0.00", "SECRET", `sin_1.${"a".repeat(64)}`, "%00", "a=b=c", "__proto__"])(
    "the cookie %j identifies nobody",
    async (value) => {
      const shown = `leeway-${on.port}=${value}`;
      expect(code(await on.ask("GET", "/v1/me", { cookie: shown }))).toEqual([401, "LEEWAY_UNAUTHENTICATED"]);
    },
  );

  test("a cookie of another server, a changed cookie and a cookie of an ended sign-in identify nobody", async () => {
    const other = await served();
    const foreign = (await cookieOf(other, "ana")).replace(String(other.port), String(on.port));
    await other.remove();
    const changed = cookie.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    const ended = await cookieOf(on, "ana");
    await on.ask("POST", "/sign-out", { cookie: ended });
    for (const shown of [foreign, changed, ended]) {
      expect((await on.ask("GET", "/v1/me", { cookie: shown })).status).toBe(401);
    }
  });

  test("a client that guesses tokens must wait, and others at the same address need not", async () => {
    const wrong = `lwy_1_${"0".repeat(64)}`;
    const statuses: number[] = [];
    for (let n = 0; n < 70; n++) statuses.push((await on.ask("GET", "/v1/me", { token: wrong })).status);
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    expect((await on.ask("POST", "/v1/calls", { token, body: READ })).status).toBe(200);
  });
});

describe("bodies", () => {
  test("a body of more than 8 MB is refused with the reason, however it is sent", async () => {
    const large = `{"tool":"${"x".repeat(8 * 1024 * 1024)}"}`;
    expect(await exchanged(on.port, posted(large))).toMatch(/^HTTP\/1\.1 413 [\s\S]*LEEWAY_TOO_LARGE/);
    const chunked = await dial(on.port);
    chunked.send(
      head(
        `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`,
        "/v1/calls",
        "POST",
      ),
    );
    const piece = "x".repeat(64 * 1024);
    for (let n = 0; n < 140 && !chunked.socket.destroyed; n++) {
      chunked.send(`10000\r\n${piece}\r\n`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await chunked.closed;
    expect(chunked.received()).toMatch(/^HTTP\/1\.1 413 [\s\S]*LEEWAY_TOO_LARGE/);
  });

  test("a client without a token may send only small bodies", async () => {
    const form = new URLSearchParams({ name: "x".repeat(100_000), passphrase: "y" });
    const answer = await fetch(`${on.url}/sign-in`, { method: "POST", body: form, headers: { origin: on.url } });
    expect(answer.status).toBe(413);
  });

  test("a name that nobody can have is not stored, however it is sent", async () => {
    const name = "STRANGER".repeat(2_000);
    const body = new URLSearchParams({ name, passphrase: "y" });
    const answer = await fetch(`${on.url}/sign-in`, { method: "POST", body, headers: { origin: on.url } });
    expect(answer.url).toContain("/shown/");
    expect(await answer.text()).toContain('role="alert"');
    const files = readdirSync(on.state).filter((file) => file.startsWith("leeway.db"));
    const bytes = files.map((file) => readFileSync(join(on.state, file), "latin1")).join("");
    expect(bytes.includes("STRANGERSTRANGER")).toBe(false);
  });

  test.each([
    ["lists", "[".repeat(40_000) + "]".repeat(40_000)],
    ["objects", '{"a":'.repeat(40_000) + "1" + "}".repeat(40_000)],
    ["arguments", `{"tool":"t","args":${'{"a":'.repeat(100)}1${"}".repeat(100)}}`],
    ["lists that never end", "[".repeat(40_000)],
  ])("%s that are nested too deeply are refused", async (_, text) => {
    expect(await exchanged(on.port, posted(text))).toMatch(/^HTTP\/1\.1 400 [\s\S]*LEEWAY_BAD_INPUT/);
  });

  test.each([
    '{"tool":"a","tool":"b"}',
    '{"tool":"a","args":{"x":1,"x":2}}',
    '{"tool":"a","args":{"l":[{"y":{"x":1,"x":1}}]}}',
    '{"tool":"a","args":{"x":1,"\\u0078":2}}',
    '{"tool":"a","args":{"a\\"b":1,"a\\u0022b":2}}',
    '{"tool":"a","to\\u006fl":"b"}',
    '{"__proto__":1,"__proto__":2,"tool":"a"}',
  ])("a key that occurs twice is refused: %s", async (text) => {
    expect(await exchanged(on.port, posted(text))).toMatch(/^HTTP\/1\.1 400 /);
  });

  test.each(["1e-400", "-1e-400", "0.1234567890123456789", "9007199254740993", "1e999", "4.9e-324"])(
    "a number that would be rounded is refused: %s",
    async (digits) => {
      const text = `{"tool":"a","args":{"text":"1e-400","x":[${digits}]}}`;
      expect(await exchanged(on.port, posted(text))).toMatch(/^HTTP\/1\.1 400 [\s\S]*(as text|number)/);
    },
  );

  test.each([
    '{"__proto__":{"agent":"ana"},"tool":"t"}',
    '{"constructor":{"prototype":{"x":1}},"tool":"t"}',
    '{"tool":"t","toString":1}',
  ])("names from the JavaScript object prototype are refused as unknown keys: %s", async (text) => {
    expect(await exchanged(on.port, posted(text))).toMatch(/^HTTP\/1\.1 400 [\s\S]*unknown key/);
    expect(({} as Record<string, unknown>)["x"]).toBe(undefined);
  });

  test("in arguments, names from the object prototype are ordinary keys, and part of the digest", async () => {
    const call = (text: string) => exchanged(on.port, posted(`{"tool":"refund","args":${text}}`));
    const digest = (answer: string) => /"digest":"(sha256:\w+)"/.exec(answer)?.[1];
    const [plain, named] = [await call("{}"), await call('{"__proto__":{"amount":5},"constructor":1}')];
    expect(digest(named)).toMatch(/^sha256:/);
    expect(digest(named)).not.toBe(digest(plain));
  });

  test.each([
    ["half a character", '{"tool":"\\ud800"}'],
    ["half a character in the arguments", '{"tool":"t","args":{"a":"\\udc00"}}'],
    ["half a character as a key", '{"tool":"t","args":{"\\udc00":1}}'],
    ["a text with bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["an overlong slash", Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ["a number that is too large to be exact", '{"tool":"t","args":{"n":9007199254740993}}'],
    ["a number that is larger than every number", '{"tool":"t","args":{"n":1e400}}'],
    ["text instead of a number", '{"tool":"t","wait":"5"}'],
    ["a list instead of a number", '{"tool":"t","wait":[5]}'],
    ["a boolean instead of a number", '{"tool":"t","wait":true}'],
    ["a fraction", '{"tool":"t","wait":1.5}'],
    ["a list instead of an object", "[]"],
    ["null instead of an object", "null"],
    ["two values", "{}{}"],
    ["a comment", '{"tool":"t"}//'],
    ["something else", "<call/>"],
    ["a text in UTF-16", Buffer.from('{"tool":"t"}', "utf16le")],
  ])("%s is refused", async (_, text) => {
    expect(await exchanged(on.port, posted(text))).toMatch(/^HTTP\/1\.1 400 [\s\S]*LEEWAY_BAD_INPUT/);
  });

  test("a megabyte of text in one argument is processed without problems", async () => {
    const body = { tool: "refund", args: { text: `${'"\\'.repeat(100_000)}${"x".repeat(600_000)}` } };
    expect((await on.ask("POST", "/v1/calls", { token, body })).body).toMatchObject({ outcome: expect.any(String) });
  });

  const many: [string, string][] = [
    ["empty objects", `{"tool":"memo","args":{"a":[${"{},".repeat(2_000_000)}1]}}`],
    ["keys", `{"tool":"memo","args":{${Array.from({ length: 400_000 }, (_, n) => `"k${n}":1`).join(",")}}}`],
    ["numbers", `{"tool":"memo","args":{"a":[${"1,".repeat(2_000_000)}1]}}`],
  ];
  test.each(many)("a body with very many %s is refused before it is parsed", async (_, body) => {
    expect(await exchanged(on.port, posted(body))).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*LEEWAY_TOO_LARGE[\s\S]*more than 50000 values/,
    );
  });

  test("brackets and commas inside a text do not count as values", async () => {
    const text = `${'{"a":[1,2],'.repeat(50_000)}\\"`;
    const call = { tool: "memo", args: { text } };
    expect((await on.ask("POST", "/v1/calls", { token, body: call })).body.outcome).toBe("run");
  });

  test("a form with one field very many times is refused", async () => {
    const headers = {
      cookie: await cookieOf(on, "ben"),
      origin: on.url,
      "content-type": "application/x-www-form-urlencoded",
    };
    const sent = (body: string) => fetch(`${on.url}/sign-out`, { method: "POST", body, headers, redirect: "manual" });
    expect((await sent("a&".repeat(2_000_000))).headers.get("location")).toMatch(/\?refused=/);
    expect((await sent("a&".repeat(10_000))).headers.get("location")).toBe("/sign-in");
  });

  test("invalid content of a call is not written to the log", async () => {
    await exchanged(on.port, posted('{"tool":"t","args":{"SECRET":SECRET}}'));
    await exchanged(on.port, posted('{"SECRET":"SECRET"}'));
    expect(on.logged.at(-1)).toMatchObject({ route: "/v1/calls", status: 400, who: "agent:coder" });
  });

  test("a client that disconnects in the middle of a body has sent nothing, and breaks nothing", async () => {
    const before = (await on.deps.store.read({ ask: "head", workspace: "default" })).index;
    const line = await dial(on.port);
    line.send(posted(JSON.stringify(READ)).subarray(0, -5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    line.socket.destroy();
    await line.closed;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await on.deps.store.read({ ask: "head", workspace: "default" })).index).toBe(before);
  });

  test("a hundred requests whose bodies never end do not delay others, and are cut off in the end", {
    timeout: 90_000,
  }, async () => {
    const slow = await Promise.all(Array.from({ length: 100 }, () => dial(on.port)));
    for (const line of slow) line.send(posted(JSON.stringify(READ)).subarray(0, -5));
    expect((await on.ask("POST", "/v1/calls", { token, body: READ })).status).toBe(200);
    // The server waits half a minute, which only the long tests can do too.
    const isProof = process.env["LEEWAY_PROVE"] !== undefined;
    for (const line of isProof ? [] : slow) line.socket.destroy();
    await Promise.all(slow.map(({ closed }) => closed));
    if (isProof) expect(slow.map((line) => statusOf(line.received()))).toEqual(slow.map(() => 408));
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
});

describe("paths and queries", () => {
  const paths = [
    "//",
    "//evil.example/v1/people",
    "///",
    "/\\evil.example",
    "http://evil.example/v1/people",
    "/v1/%2e%2e/v1/people",
    "/v1/../v1/people",
    "/v1/./people",
    "/v1//people",
    "/v1/people/",
    "/V1/people",
    "/v1/people%00",
    "/v1%2fpeople",
    "/%",
    "/v1/agents/%zz",
    "/assets/../../package.json",
    "/assets/%2e%2e/%2e%2e/package.json",
    "/..%5c..%5cpackage.json",
    "*",
  ];
  test.each(paths)("%s is not found", async (path) => {
    const answer = await exchanged(on.port, head(`Cookie: ${cookie}\r\n`, path));
    expect([400, 404]).toContain(statusOf(answer));
    expect(answer).not.toMatch(/"people":|devDependencies|node:internal|at \w+ \(/);
  });

  test.each([
    "%00",
    "%0d%0aset-cookie:%20a=b",
    "..%2f..",
    "%e2%80%ae",
    "%F0%9F%98%80",
    "a".repeat(4000),
    "__proto__",
    "constructor",
  ])("the id %s is not found", async (id) => {
    for (const route of [...apiRoutes("0"), ...WEB_ROUTES].filter(({ path }) => path.includes(":"))) {
      const path = route.path.replaceAll(/:\w+/g, id);
      const authorized = route.for.includes("agent")
        ? `Authorization: Bearer ${token}\r\n`
        : `Cookie: ${cookie}\r\nOrigin: ${on.url}\r\n`;
      const answer = await exchanged(
        on.port,
        `${head(`${authorized}Content-Length: 2\r\nContent-Type: ${route.page === true ? "application/x-www-form-urlencoded" : "application/json"}\r\n`, path, route.method)}${route.page === true ? "a=" : "{}"}`,
      );
      expect([`${route.method} ${path}`, statusOf(answer)]).toEqual([expect.any(String), expect.any(Number)]);
      expect(answer.split("\r\n\r\n")[0]).not.toMatch(/^set-cookie: a=b/im);
      expect([`${route.method} ${path}`, statusOf(answer) < 500]).toEqual([`${route.method} ${path}`, true]);
    }
  });

  test("an address or headers of many kilobytes are refused", async () => {
    expect(statusOf(await exchanged(on.port, head("", `/${"a".repeat(20_000)}`)))).toBe(431);
    expect(statusOf(await exchanged(on.port, head(`X: ${"a".repeat(20_000)}\r\n`)))).toBe(431);
    expect(statusOf(await exchanged(on.port, head("X-Many-Headers: of little use\r\n".repeat(5_000))))).toBe(431);
  });

  test.each([
    "/v1/approvals?nothing=1",
    "/v1/approvals?__proto__=1",
    "/v1/approvals?status=pending&status=denied",
    "/v1/approvals?status=",
    "/v1/approvals?limit=0",
    "/v1/approvals?limit=1e2",
    "/v1/approvals?limit=99999999999999999999",
    "/v1/approvals?cursor=AAAA",
    `/v1/approvals?cursor=${Buffer.from(`${"9".repeat(400)} apr_1`).toString("base64url")}`,
    "/v1/approvals?class=everything",
    "/v1/ledger?cursor=-1",
    "/v1/ledger?kind=%00",
    "/v1/people?x",
    "/v1/agents/coder?x=1",
    "/v1/calls/call_1/wait?timeout=1e1",
    "/v1/calls/call_1/wait?timeout=0x10",
    "/v1/calls/call_1/wait?timeout=61",
    "/v1/calls/call_1/wait?timeout=-1",
    "/healthz?verbose=1",
  ])("%s is refused", async (path) => {
    expect(code(await on.ask("GET", path, { cookie }))).toEqual([400, "LEEWAY_BAD_INPUT"]);
  });

  test("a stream continues only from a valid event id, and otherwise is refused, so it never skips silently", async () => {
    for (const seen of ["x", "-1", "1.5", "9".repeat(40)]) {
      const reply = await on.ask("GET", "/v1/events", { cookie, headers: { "last-event-id": seen } });
      expect([seen, ...code(reply)]).toEqual([seen, 400, "LEEWAY_BAD_INPUT"]);
    }
  });
});

describe("methods", () => {
  const names = ["OPTIONS", "TRACE", "PATCH", "PROPFIND", "DELETE"];
  test.each(names)("the method %s is not allowed, and nothing of the request is echoed", async (method) => {
    const answer = await exchanged(on.port, head("X-Secret: SECRET\r\n", "/v1/calls", method));
    expect(statusOf(answer)).toBe(405);
    expect(answer).toMatch(/\r\nallow: POST, GET\r\n/i);
    expect(answer).not.toMatch(/SECRET|access-control/i);
  });

  test("HEAD is answered like GET without the body, and for a stream it does not wait", async () => {
    const plain = await exchanged(on.port, head(`Cookie: ${cookie}\r\n`, "/v1/people", "HEAD"));
    expect(plain).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n$/);
    for (const path of ["/v1/events", "/v1/ledger/export"]) {
      const stream = await exchanged(on.port, head(`Cookie: ${cookie}\r\n`, path, "HEAD"));
      expect(stream).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n$/);
    }
  });

  test.each([
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
    "\0\0\0\0\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  ])("the connection is closed after %j", async (bytes) => {
    expect(await exchanged(on.port, `${bytes}\r\n\r\n`)).not.toMatch(/^HTTP\/1\.1 (2|5)/);
  });

  test("invalid bytes after a valid request are refused, and two lengths are refused", async () => {
    const line = await dial(on.port);
    line.send(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${on.port}\r\n\r\n\x01\x02rubbish\r\n\r\n`);
    await line.closed;
    expect(line.received()).toMatch(/HTTP\/1\.1 400 /);
    expect(line.received()).not.toMatch(/rubbish/);
    const smuggled = "GET /v1/people HTTP/1.1\r\n\r\n";
    const both = head(`Content-Length: 4\r\nTransfer-Encoding: chunked\r\n`, "/v1/calls", "POST");
    expect(statusOf(await exchanged(on.port, `${both}0\r\n\r\n${smuggled}`))).toBe(400);
    const twice = head("Content-Length: 4\r\nContent-Length: 5\r\n", "/v1/calls", "POST");
    expect(statusOf(await exchanged(on.port, `${twice}{}  ${smuggled}`))).toBe(400);
  });
});

describe("redirects", () => {
  const nexts = [
    "http://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "/%0d%0aset-cookie:a=b",
    "/a\r\nset-cookie: a=b",
    "/\u2028",
    " //evil.example",
  ];
  test.each(nexts)("signing in never redirects to %j", async (next) => {
    const shown = await on.ask("GET", `/sign-in?next=${encodeURIComponent(next)}`);
    expect(shown.text).not.toMatch(/value="[^"]*(evil|javascript|set-cookie: )/);
    const body = new URLSearchParams({ name: "ana", passphrase: PASSPHRASE, next });
    const answer = await fetch(`${on.url}/sign-in`, {
      method: "POST",
      body,
      headers: { origin: on.url },
      redirect: "manual",
    });
    const led = new URL(answer.headers.get("location") ?? "", on.url);
    expect([answer.status, led.origin]).toEqual([303, on.url]);
    expect(answer.headers.getSetCookie().length).toBe(1);
  });

  test("a person who is sent to sign in returns to the page where they were, on this server", async () => {
    for (const path of ["/approvals/x?told=%0d%0aa:%20b", "/?id=//evil.example"]) {
      const reply = await on.ask("GET", path);
      const next = new URL(reply.headers.get("location") ?? "", on.url).searchParams.get("next") ?? "";
      expect([reply.status, new URL(next, on.url).origin]).toEqual([303, on.url]);
    }
  });
});

test("every response forbids frames, foreign resources, content sniffing and caching", async () => {
  for (const path of ["/v1/people", "/v1/nothing", "/sign-in", "/openapi.json"]) {
    const { headers } = await on.ask("GET", path);
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe|\*|data:|https?:/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBe(null);
    expect(headers.get("server")).toBe(null);
  }
});

test("a long response is compressed for clients that accept it, with the same content", async () => {
  const plain = await exchanged(on.port, head("", "/openapi.json"));
  expect(plain).not.toMatch(/content-encoding/i);
  const line = await dial(on.port);
  const chunks: Buffer[] = [];
  line.socket.on("data", (chunk) => chunks.push(chunk));
  line.send(head("Accept-Encoding: br, gzip\r\n", "/openapi.json"));
  await line.closed;
  const whole = Buffer.concat(chunks);
  const at = whole.indexOf("\r\n\r\n");
  expect(whole.subarray(0, at).toString()).toMatch(/content-encoding: gzip/i);
  expect(whole.subarray(0, at).toString()).toMatch(/vary: accept-encoding/i);
  expect(gunzipSync(whole.subarray(at + 4)).toString()).toBe(plain.slice(plain.indexOf("\r\n\r\n") + 4));
  expect(whole.length * 3).toBeLessThan(plain.length);
});
