import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import type { SeenMessage, Stage } from "./suite.ts";

/** A receiver that checks every signature with the reference library. */
export async function webhookReceiver(): Promise<Stage & { trusts(own: boolean): void }> {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const verifier = new Webhook(secret);
  const stranger = new Webhook(`whsec_${randomBytes(32).toString("base64")}`);
  let isTrusted = true;
  const seen: SeenMessage[] = [];
  let broken: "down" | "busy" | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (broken !== undefined) {
        response.writeHead(broken === "down" ? 503 : 429, broken === "busy" ? { "retry-after": "1" } : {}).end();
        return;
      }
      const body = Buffer.concat(chunks).toString();
      const told = verified(isTrusted ? verifier : stranger, body, request.headers as Record<string, string>);
      if (told === undefined) return void response.writeHead(401).end("the signature is wrong");
      if (!seen.some(({ id }) => id === told.data.id))
        seen.push({ id: told.data.id, to: "endpoint", text: body, buttons: [] });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    settings: { url: `http://127.0.0.1:${port}/hook`, secret: "env:HOOK_SECRET", nearby: true },
    env: { HOOK_SECRET: secret },
    place: "endpoint",
    seen: () => seen,
    trusts: (own) => {
      isTrusted = own;
    },
    breaks: (how) => {
      broken = how;
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

function verified(
  verifier: Webhook,
  body: string,
  headers: Record<string, string>,
): { data: { id: string } } | undefined {
  try {
    return verifier.verify(body, headers) as { data: { id: string } };
  } catch {
    return undefined;
  }
}
