// "Notify me in this browser": asks the person, subscribes the browser at its push service, and tells the server.

const button = document.querySelector("#tell-here");
const told = document.querySelector("#tell-here-told");
const WORKER = "/service-worker.js";
const BASE = /^\/w\/[^/]+/.exec(location.pathname)?.[0] ?? "";

function tell(why) {
  told.textContent = told.dataset[why];
  told.hidden = false;
}

/** Push services need the key as bytes. */
function bytesOf(key) {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

const isSame = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

/** A browser that subscribed with an earlier key of the server subscribes again. */
async function subscribed(manager, key) {
  const held = await manager.getSubscription();
  const heldKey = held?.options.applicationServerKey;
  if (held !== null && heldKey && isSame(new Uint8Array(heldKey), key)) return held;
  await held?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function send(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const headers = { "content-type": "application/json" };
  return fetch(`${BASE}/v1/push/devices`, { method: "POST", headers, body: JSON.stringify({ endpoint, keys }) });
}

async function tellHere() {
  if ((await Notification.requestPermission()) !== "granted") return tell("blocked");
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const key = bytesOf(button.dataset.key);
  const first = await subscribed(pushManager, key);
  if ((await send(first)).ok) return location.reload();
  // The subscription may belong to another person who used this browser; a new one ends it.
  await first.unsubscribe();
  const second = await subscribed(pushManager, key);
  if ((await send(second)).ok) return location.reload();
  await second.unsubscribe();
  tell("failed");
}

if (button !== null) {
  if (!("serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis)) tell("unable");
  else {
    button.hidden = false;
    button.addEventListener("click", () => {
      told.hidden = true;
      tellHere().catch(() => tell("failed"));
    });
  }
}
