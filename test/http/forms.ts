import type { Served } from "./served.ts";

export type PageReply = { status: number; html: string; location: string; headers: Headers };

/** What a browser does on a page: look, and press the buttons of forms. */
export type Browser = {
  cookie: string;
  look(path: string, headers?: Record<string, string>): Promise<PageReply>;
  press(
    path: string,
    fields?: Readonly<Record<string, string | readonly string[]>>,
    from?: string,
    more?: Record<string, string>,
  ): Promise<PageReply>;
};

export async function browserOf(on: Served, name: string): Promise<Browser> {
  const cookie = await on.signIn(name);
  const look: Browser["look"] = async (path, headers = {}) =>
    replyOf(await fetch(on.url + path, { redirect: "manual", headers: { accept: "text/html", cookie, ...headers } }));
  const press: Browser["press"] = async (path, fields = {}, from = "/", more = {}) => {
    const body = new URLSearchParams();
    for (const [key, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(key, one);
    const headers = { cookie, origin: on.url, referer: on.url + from, accept: "text/html", ...more };
    return replyOf(await fetch(on.url + path, { method: "POST", body, redirect: "manual", headers }));
  };
  return { cookie, look, press };
}

async function replyOf(answer: Response): Promise<PageReply> {
  const { status, headers } = answer;
  return { status, html: await answer.text(), location: headers.get("location") ?? "", headers };
}
