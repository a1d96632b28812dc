import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

// The address on this machine to which the browser comes back after a person has signed in.

export type RedirectListener = {
  /** Ends with a free port of this machine. */
  url: string;
  /** The first redirect that belongs to the login. Others are refused and change nothing. */
  came(isAnswer: (url: URL) => boolean): Promise<URL>;
  close(): void;
};

const PATH = "/callback";

export async function listenForRedirect(): Promise<RedirectListener> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    url: `${origin}${PATH}`,
    came: (isAnswer) =>
      new Promise((resolve) => {
        server.on("request", (request, response) => {
          const url = redirectIn(request, origin);
          const isOurs = url !== undefined && isAnswer(url);
          say(response, isOurs ? 200 : 404, isOurs ? DONE : "This is not the answer to a login of Leeway.");
          if (isOurs) resolve(url);
        });
      }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const DONE = "Leeway has heard from the server where you signed in. Go back to the terminal; you can close this page.";

/** A page of another site can make a browser send a request here, but not with this host name and a state that it cannot know. */
function redirectIn({ method, url = "", headers }: IncomingMessage, origin: string): URL | undefined {
  if (method !== "GET" || `http://${headers.host}` !== origin || !URL.canParse(url, origin)) return undefined;
  const came = new URL(url, origin);
  return came.pathname === PATH ? came : undefined;
}

function say(response: ServerResponse, status: number, text: string): void {
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
  response.writeHead(status, headers).end(`${text}\n`);
}
