import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** An OpenID Connect issuer on this machine that knows one account and confirms it without asking. */
export type LoopbackIssuer = {
  url: string;
  /** What it says about the account; a test may make it lie. */
  says: {
    subject: string;
    audience: string;
    nonce?: string;
    authTimeMs?: number;
    issuer?: string;
    lastsSeconds?: number;
    signedBy?: SignedBy;
  };
  /** It signs with another key from now on, and no longer publishes the former one. */
  rotate(): void;
  close(): Promise<void>;
};

/** Its own key, another key with the same id, a withdrawn key, no key, or its public key used as a shared secret. */
export type SignedBy = "own" | "foreign" | "withdrawn" | "none" | "shared" | "broken";

type Keys = { privateKey: KeyObject; publicKey: KeyObject; kid: string };

type Asked = { challenge: string; nonce: string };

export async function loopbackIssuer(audience: string): Promise<LoopbackIssuer> {
  const keys = [keysNamed("1")];
  const current = (): Keys => keys.at(-1) ?? keysNamed("0");
  const codes = new Map<string, Asked>();
  const says: LoopbackIssuer["says"] = { subject: "4711", audience };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", issuer());
    const answer = (value: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (url.pathname === "/.well-known/openid-configuration") return answer(configuration(issuer()));
    if (url.pathname === "/keys")
      return answer({ keys: [{ ...current().publicKey.export({ format: "jwk" }), kid: current().kid, alg: "ES256" }] });
    if (url.pathname === "/authorize") {
      const asked = url.searchParams;
      const code = `code-${codes.size}`;
      codes.set(code, { challenge: asked.get("code_challenge") ?? "", nonce: asked.get("nonce") ?? "" });
      const back = new URL(asked.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({ code, state: asked.get("state") ?? "" }).toString();
      return response.writeHead(302, { location: back.href }).end();
    }
    const form = new URLSearchParams(await textOf(request));
    const asked = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (asked === undefined || proof !== asked.challenge) return answer({ error: "invalid_grant" }, 400);
    const claims = {
      iss: says.issuer ?? issuer(),
      sub: says.subject,
      aud: says.audience,
      nonce: says.nonce ?? asked.nonce,
      iat: seconds(Date.now()),
      exp: seconds(Date.now()) + (says.lastsSeconds ?? 60),
      auth_time: seconds(says.authTimeMs ?? Date.now()),
    };
    return answer({
      access_token: "a",
      token_type: "Bearer",
      id_token: signed(claims, says.signedBy === "withdrawn" ? keys[0] : current(), says.signedBy),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: issuer(),
    says,
    rotate: () => void keys.push(keysNamed(String(keys.length + 1))),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function keysNamed(kid: string): Keys {
  return { ...generateKeyPairSync("ec", { namedCurve: "P-256" }), kid };
}

function configuration(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
    code_challenge_methods_supported: ["S256"],
  };
}

function signed(claims: object, own = keysNamed("0"), by: SignedBy = "own"): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const alg = by === "none" ? "none" : by === "shared" ? "HS256" : "ES256";
  const text = `${part({ alg, kid: own.kid })}.${part(claims)}`;
  if (by === "none") return `${text}.`;
  if (by === "shared") {
    const secret = own.publicKey.export({ format: "pem", type: "spki" });
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  }
  const key = by === "foreign" ? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey : own.privateKey;
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  if (by === "broken") signature[0] = (signature[0] ?? 0) ^ 1;
  return `${text}.${signature.toString("base64url")}`;
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}
