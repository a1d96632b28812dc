import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

// A passkey device in software: unlike a real browser, it signs for any page that a test names.

const encoded = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

const cbor = {
  whole: (n: number) => Buffer.from([n >= 0 ? n : 0x20 - 1 - n]),
  bytes: (bytes: Uint8Array) => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]),
  text: (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]),
  map: (pairs: readonly (readonly [Buffer, Buffer])[]) =>
    Buffer.concat([Buffer.from([0xa0 + pairs.length]), ...pairs.flat()]),
};

const PRESENT_AND_VERIFIED = 0x05;
const WITH_KEY = 0x40;

export function softDevice(host: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  const said = (flags: number, more = Buffer.alloc(0)) =>
    Buffer.concat([sha256(host), Buffer.from([flags, 0, 0, 0, 0]), more]);
  const asked = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const answer = (response: object) => ({
    id: encoded(id),
    rawId: encoded(id),
    type: "public-key",
    authenticatorAttachment: "platform",
    clientExtensionResults: {},
    response,
  });
  return {
    made: (challenge: string, origin: string) => {
      const key = cbor.map([
        [cbor.whole(1), cbor.whole(2)],
        [cbor.whole(3), cbor.whole(-7)],
        [cbor.whole(-1), cbor.whole(1)],
        [cbor.whole(-2), cbor.bytes(Buffer.from(x, "base64url"))],
        [cbor.whole(-3), cbor.bytes(Buffer.from(y, "base64url"))],
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const attestation = cbor.map([
        [cbor.text("fmt"), cbor.text("none")],
        [cbor.text("attStmt"), cbor.map([])],
        [cbor.text("authData"), cbor.bytes(said(PRESENT_AND_VERIFIED | WITH_KEY, credential))],
      ]);
      const client = asked("webauthn.create", challenge, origin);
      return answer({ clientDataJSON: encoded(client), attestationObject: encoded(attestation), transports: [] });
    },
    signed: (challenge: string, origin: string) => {
      const client = asked("webauthn.get", challenge, origin);
      const authenticator = said(PRESENT_AND_VERIFIED);
      const signature = sign("sha256", Buffer.concat([authenticator, sha256(client)]), privateKey);
      return answer({
        clientDataJSON: encoded(client),
        authenticatorData: encoded(authenticator),
        signature: encoded(signature),
      });
    },
  };
}
