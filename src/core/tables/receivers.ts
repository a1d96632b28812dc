// Hosts that are there to take requests in: data only. Whatever reaches them starts something or is kept, by GET as well.

/** Each stands for itself and for every name below it. */
export const RECEIVERS: readonly string[] = [
  "beeceptor.com",
  "burpcollaborator.net",
  "canarytokens.com",
  "dnslog.cn",
  "hook.eu1.make.com",
  "hook.eu2.make.com",
  "hook.us1.make.com",
  "hook.us2.make.com",
  "hookbin.com",
  "hooks.zapier.com",
  "interact.sh",
  "maker.ifttt.com",
  "oast.fun",
  "oast.live",
  "oast.me",
  "oast.online",
  "oast.pro",
  "oast.site",
  "oastify.com",
  "pipedream.net",
  "requestbin.com",
  "requestbin.net",
  "requestcatcher.com",
  "webhook.site",
];
