// Shows notifications of the server, and opens the question when the person taps one. It stores nothing and answers nothing.

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

/** A message that cannot be read is shown too, because browsers require a notification for every push message. */
function messageIn(data) {
  try {
    return data.json();
  } catch {
    return {};
  }
}

/** Only pages of this server are opened. */
function pageOf(link) {
  const page = new URL(typeof link === "string" && URL.canParse(link, location.origin) ? link : "/", location.origin);
  return page.origin === location.origin ? page.href : `${location.origin}/`;
}

addEventListener("push", (event) => {
  const { title = "Leeway", text = "", tag, link, language } = messageIn(event.data);
  // A newer message about a question replaces the older one.
  const about = tag === undefined ? {} : { tag, renotify: true };
  event.waitUntil(
    registration.showNotification(title, { body: text, lang: language, data: { page: pageOf(link) }, ...about }),
  );
});

/** Shows the page if it is already open. Other open pages are not used, because somebody may be typing there. */
async function open(page) {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find(({ url }) => url === page);
  return there === undefined ? clients.openWindow(page) : there.focus();
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.page));
});

/** Push services may replace a subscription. If nobody is signed in here any more, the server forgets the old one. */
addEventListener("pushsubscriptionchange", (event) => {
  const renew = async () => {
    const options = event.oldSubscription?.options;
    const fresh = event.newSubscription ?? (options && (await registration.pushManager.subscribe(options)));
    if (!fresh) return;
    const { endpoint, keys } = fresh.toJSON();
    const headers = { "content-type": "application/json" };
    await fetch("/v1/push/devices", { method: "POST", headers, body: JSON.stringify({ endpoint, keys }) });
  };
  event.waitUntil(renew());
});
