// Moves a database in a process of its own, which a test can kill at any moment.
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const { built, state, from, to } = await json(process.stdin);
const load = (path) => import(pathToFileURL(`${built}/${path}`).href);
const { readSettings } = await load("config/environment.js");
const { moveStore } = await load("move-store.js");

const none = () => undefined;
const settings = readSettings({ XDG_STATE_HOME: state, HOME: state });
const chains = await moveStore(settings, { from, to }, { copying: none, verifying: none });
process.stdout.write(JSON.stringify(chains));
