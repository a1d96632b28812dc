import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An endpoint on this machine that takes signed messages, and answers with whatever status a test wants. */
export type Hook = {
  settings: { url: string; secret: string; nearby: boolean };
  env: Record<string, string>;
  /** The messages that were received, oldest first. */
  got: readonly { type: string; data: { title?: string; text?: string; id?: string } }[];
  answers(status: number): void;
  close(): Promise<void>;
};

export async function hook(): Promise<Hook> {
  const got: Hook["got"][number][] = [];
  let status = 204;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (status < 300) got.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    settings: { url: `http://127.0.0.1:${port}/hook`, secret: "env:WEBHOOK_SECRET", nearby: true },
    env: { WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}` },
    got,
    answers: (next) => {
      status = next;
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
