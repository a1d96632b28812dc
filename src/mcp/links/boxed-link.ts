import { errorText } from "../error-text.ts";
import { type Connect, processLink, type Started, type UpstreamLink } from "./link.ts";

/** A box that is ready for a server. `ended`: says in words what the walls refused. */
export type ReadyBox = { started: Started; ended(errors: string): Promise<string> };

const TAIL_CHARACTERS = 16 * 1024;

/** A server in a box. If the box cannot be made, the server is not started. */
export function boxedLink(prepare: () => Promise<ReadyBox>): Connect {
  return (hearing) => {
    const waiting: string[] = [];
    let [link, isClosed, errors] = [undefined as UpstreamLink | undefined, false, ""];
    const said = (text: string) => {
      errors = (errors + text).slice(-TAIL_CHARACTERS);
      hearing.said(text);
    };
    let over: Promise<void> | undefined;
    /** Once: the server may end by itself while it is being closed. */
    const endBox = (box: ReadyBox) => {
      over ??= box.ended(errors).then((refused) => {
        if (refused !== "") hearing.said(`leeway: ${refused}\n`);
      });
      return over;
    };
    const start = (box: ReadyBox) => {
      const gone = (why: string) => {
        endBox(box).then(
          () => hearing.gone(why),
          (error: unknown) => hearing.gone(`${why}; ${errorText(error)}`),
        );
      };
      link = processLink(box.started)({ ...hearing, said, gone });
      for (const line of waiting) link.send(line);
      return box;
    };
    const ready = prepare().then(
      (box) => (isClosed ? box : start(box)),
      (error: unknown) => hearing.gone(`it was not started, because its box cannot be made: ${errorText(error)}`),
    );
    return {
      send: (line) => {
        if (link === undefined) waiting.push(line);
        else link.send(line);
      },
      close: async () => {
        isClosed = true;
        const box = await ready;
        await link?.close();
        if (box !== undefined) await endBox(box);
      },
    };
  };
}
