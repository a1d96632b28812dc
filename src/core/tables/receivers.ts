import { patternOf } from "./facts.ts";
// Addresses at which a request does more than read, even with GET: data only.

/** Hosts that exist to receive requests; each stands for itself and its subdomains. */
export const RECEIVERS: readonly string[] = [
  "alertzy.app",
  "api.callmebot.com",
  "api.clickatell.com",
  "api.day.app",
  "api.pushbullet.com",
  "api.pushcut.io",
  "api.pushover.net",
  "api.smsglobal.com",
  "api.telegram.org",
  "api.textlocal.in",
  "api.thingspeak.com",
  "api.vk.com",
  "beeceptor.com",
  "burpcollaborator.net",
  "canarytokens.com",
  "canarytokens.org",
  "ceye.io",
  "cronitor.link",
  "dnsbin.zhack.ca",
  "dnslog.cn",
  "duckdns.org",
  "dweet.io",
  "dynamicdns.park-your-domain.com",
  "dynupdate.no-ip.com",
  "events.pagerduty.com",
  "fast2sms.com",
  "freedns.afraid.org",
  "ftqq.com",
  "grabify.link",
  "green-api.com",
  "hc-ping.com",
  "hook.eu1.make.com",
  "hook.eu2.make.com",
  "hook.us1.make.com",
  "hook.us2.make.com",
  "hookb.in",
  "hookbin.com",
  "hooks.slack.com",
  "hooks.zapier.com",
  "interact.sh",
  "iplogger.org",
  "lhr.life",
  "loca.lt",
  "logic.azure.com",
  "logs-01.loggly.com",
  "maker.ifttt.com",
  "maker.pushcut.io",
  "members.dyndns.org",
  "ngrok-free.app",
  "ngrok-free.dev",
  "ngrok.app",
  "ngrok.dev",
  "ngrok.io",
  "nosnch.in",
  "notify.run",
  "ntfy.sh",
  "oapi.dingtalk.com",
  "oast.fun",
  "oast.live",
  "oast.me",
  "oast.online",
  "oast.pro",
  "oast.site",
  "oastify.com",
  "pipedream.net",
  "platform.clickatell.com",
  "postb.in",
  "ptsv2.com",
  "ptsv3.com",
  "push.techulus.com",
  "putsreq.com",
  "qyapi.weixin.qq.com",
  "requestbin.com",
  "requestbin.net",
  "requestcatcher.com",
  "requestrepo.com",
  "rest.nexmo.com",
  "serveo.net",
  "simplepush.io",
  "smee.io",
  "sms.ru",
  "smsc.ru",
  "trycloudflare.com",
  "ultramsg.com",
  "update.dedyn.io",
  "webhook.cool",
  "webhook.office.com",
  "webhook.site",
  "wirepusher.com",
  "xdroid.net",
];

/** Where an address leads on a host that also does other things. */
export type ReceivingRow = {
  /** The row is only about this host and its subdomains. `inside`: about local hosts. Left out: about every host. */
  host?: string | "inside";
  /** Matches the path and the query, in lower case. */
  path: RegExp;
  class: "network.write" | "secrets.read";
  /** The note that says what the request would do. */
  note: "note.address_sends_or_starts" | "note.address_switches" | "note.address_shows_secrets";
  example: string;
};

const sends = { class: "network.write", note: "note.address_sends_or_starts" } as const;
const switches = { host: "inside", class: "network.write", note: "note.address_switches" } as const;
const tells = { class: "secrets.read", note: "note.address_shows_secrets" } as const;

// biome-ignore format: one line each
export const RECEIVING: readonly ReceivingRow[] = [
  {
    ...sends, host: "slack.com",
    path: patternOf(
      String.raw`^\/api\/[\w.]*\.(post|update|delete|upload|add|remove|set|create|invite|kick|join|leave|archive|unarchive|open
      |share|revoke|mark|rename|schedule|publish|push|complete|end|me)`,
    ),
    example: "https://slack.com/api/chat.postMessage?text=a",
  },
  { ...sends, host: "discord.com", path: /^\/api(\/v\d+)?\/webhooks\//, example: "https://discord.com/api/webhooks/1/a" },
  { ...sends, host: "discordapp.com", path: /^\/api(\/v\d+)?\/webhooks\//, example: "https://discordapp.com/api/webhooks/1/a" },
  { ...sends, host: "google.com", path: /\/formresponse\b/, example: "https://docs.google.com/forms/d/e/a/formResponse?entry.1=b" },
  { ...sends, host: "script.google.com", path: /^\/(a\/)?macros\//, example: "https://script.google.com/macros/s/a/exec" },
  { ...sends, host: "api.netlify.com", path: /^\/build_hooks\//, example: "https://api.netlify.com/build_hooks/a" },
  { ...sends, host: "api.vercel.com", path: /^\/v\d+\/integrations\/deploy\//, example: "https://api.vercel.com/v1/integrations/deploy/a/b" },
  { ...sends, host: "api.render.com", path: /^\/deploy\//, example: "https://api.render.com/deploy/srv-a?key=b" },
  { ...sends, host: "api.cloudflare.com", path: /\/deploy_hooks\//, example: "https://api.cloudflare.com/client/v4/pages/webhooks/deploy_hooks/a" },
  { ...sends, host: "app.n8n.cloud", path: /^\/webhook(-test)?\//, example: "https://a.app.n8n.cloud/webhook/b" },
  { ...sends, host: "zapier.com", path: /^\/hooks\//, example: "https://zapier.com/hooks/catch/1/a" },
  { ...sends, host: "is.gd", path: /^\/create\.php/, example: "https://is.gd/create.php?url=a" },
  { ...sends, host: "v.gd", path: /^\/create\.php/, example: "https://v.gd/create.php?url=a" },
  { ...sends, host: "tinyurl.com", path: /^\/(api-)?create\.php/, example: "https://tinyurl.com/api-create.php?url=a" },
  { ...sends, host: "web.archive.org", path: /^\/save\//, example: "https://web.archive.org/save/https://a.example" },
  {
    ...sends,
    path: /^(\/[\w.-]+)?\/job\/[^?]+\/(build|buildwithparameters|dodelete|stop|term|kill|disable|enable)\/?(\?|$)/,
    example: "http://jenkins.example/job/a/build?token=b",
  },
  { ...sends, path: /^\/(webhook|webhook-test|hooks?)\/[0-9a-f-]{16}/, example: "https://n8n.example/webhook/0f1e2d3c-aaaa-4bbb-8ccc-0123456789ab" },
  { ...sends, path: /^\/nic\/update\b/, example: "https://dyn.example/nic/update?hostname=a" },
  { ...sends, path: /[?&]_method=(post|put|patch|delete)\b/, example: "https://a.example/x?_method=DELETE" },
  {
    ...sends,
    path: patternOf(
      String.raw`\/(?:[^?]*[/._-])?(send\w*|sms|notify|push|trigger|update|delete[\w-]*|shorten
      |publish)\b[^?]*\?([^#]*&)?(api[_-]?(key|secret|id)|(access[_-]?|auth[_-]?|circle-)?token|auth([_-]?id)?|key
      |secret|pass(word)?|psw|account[_-]?key|authorization)=`,
    ),
    example: "https://gitlab.example/api/v4/projects/1/trigger/pipeline?token=a",
  },
  {
    ...sends, path: /[?&]command=[\w.]*\.(set|create|delete|renew|transfer)/,
    example: "https://api.namecheap.com/xml.response?Command=namecheap.domains.dns.setHosts",
  },
  { ...sends, path: /^\/api\/webhook\/[^?]/, host: "inside", example: "http://homeassistant.local:8123/api/webhook/a" },
  { ...sends, host: "google-analytics.com", path: /^\/(\w+\/)?collect\b/, example: "https://www.google-analytics.com/collect?v=1" },
  { ...sends, host: "archive.ph", path: /^\/submit\b/, example: "https://archive.ph/submit/?url=a" },
  {
    ...switches,
    path: patternOf(
      String.raw`\/(shutdown|poweroff|reboot|restart|saferestart|quietdown|exit|quit|halt|factory-?reset|quitquitquit
      |abortabortabort)\/?(\?|$)`,
    ),
    example: "http://localhost:8080/shutdown",
  },
  { ...switches, path: /^\/cm\?([^#]*&)?cmnd=/, example: "http://192.168.1.5/cm?cmnd=Power%20On" },
  { ...switches, path: /^\/(relay|light|color|white|roller)\/\d+\?/, example: "http://192.168.1.5/relay/0?turn=on" },
  { ...switches, path: /^\/rpc\/\w+\.(set|toggle|reboot|update|open|close|factory)/, example: "http://192.168.1.5/rpc/Switch.Set?id=0&on=true" },
  { ...switches, path: /\/(delete|remove|destroy|undeploy|drop|purge|wipe)\/?(\?|$)/, example: "http://localhost:8080/api/users/1/delete" },
  {
    ...switches,
    path: patternOf(
      String.raw`[?&](action|command|cmd|do|op|switchcmd)=(delete|remove|unload|drop|purge|destroy|stop|restart|reboot|shutdown
      |disable|full-import|set\w*)`,
    ),
    example: "http://localhost:8983/solr/admin/cores?action=UNLOAD&core=a",
  },
  { ...switches, path: /\/update\?([^#]*&)?(stream\.body|commit|optimize)=/, example: "http://localhost:8983/solr/a/update?stream.body=b" },
  {
    ...switches,
    path: patternOf(
      String.raw`[?&](query|q|sql|stmt|statement)=[\s+(]*(drop|delete|insert|alter|truncate|create|update|grant|revoke|kill
      |attach|detach|rename)\b`,
    ),
    example: "http://localhost:9000/exec?query=drop+table+a",
  },
  { ...switches, path: /\/jolokia\/(exec|write)\//, example: "http://localhost:8080/jolokia/exec/a/b" },
  {
    ...switches, path: /^\/manager\/(text|html)\/(deploy|undeploy|start|stop|reload|sslreload|expire)\b/,
    example: "http://localhost:8080/manager/text/undeploy?path=/a",
  },
  { ...switches, path: /^\/json\/(new|close|activate)\b/, example: "http://localhost:9222/json/close/a" },
  { ...switches, path: /^\/api\/v1\/[^?]*\/(exec|attach|portforward|proxy)\b/, example: "http://localhost:8001/api/v1/namespaces/a/pods/b/exec?command=c" },
  { ...switches, path: /^\/(run|exec|attach|cri)\/[^?]*\?([^#]*&)?(cmd|command)=/, example: "https://localhost:10250/run/a/b/c?cmd=d" },
  { ...switches, path: /^\/(win&|json\/state\?)/, example: "http://192.168.1.5/win&T=0" },
  { ...switches, path: /\/api\.php\?([^#]*&)?(disable|enable)\b/, example: "http://192.168.1.5/admin/api.php?disable=300" },
  { ...switches, host: "pi.hole", path: /\/api\.php\?([^#]*&)?(disable|enable)\b/, example: "http://pi.hole/admin/api.php?disable=300" },
  { ...switches, host: "fritz.box", path: /[?&]switchcmd=set/, example: "http://fritz.box/webservices/homeautoswitch.lua?switchcmd=setswitchoff" },
  { ...tells, path: /^\/api\/v1\/(namespaces\/[^/?]+\/|watch\/(namespaces\/[^/?]+\/)?)?secrets(\/|\?|$)/, example: "http://localhost:8001/api/v1/secrets" },
  { ...tells, host: "inside", path: /\/actuator\/(env|heapdump|configprops|threaddump)\b/, example: "http://localhost:8080/actuator/heapdump" },
  {
    ...tells, host: "inside",
    path: patternOf(
      String.raw`^\/v1\/(secret|kv\/data|cubbyhole|database\/creds|aws\/creds|aws\/sts|gcp\/key|gcp\/token|azure\/creds
      |pki\/issue|auth\/token\/lookup)\/?[^?]`,
    ),
    example: "http://localhost:8200/v1/secret/data/a",
  },
  {
    ...tells, host: "inside",
    path: /^(\/v1\.\d+)?\/containers\/[^/?]+\/(json|export|archive)\b|^\/v1\.\d+\/(services|configs)\/[^/?]/,
    example: "http://localhost:2375/containers/web/json",
  },
  { ...tells, host: "inside", path: /\/(\.env|\.git\/config|\.aws\/credentials|\.ssh\/)/, example: "http://localhost:8080/.env" },
  { ...tells, host: "inside", path: /^\/v1\/(acl\/tokens?|var\/[^?]|operator\/keyring)/, example: "http://localhost:8500/v1/acl/tokens" },
  { ...tells, host: "inside", path: /^\/(_users\/_(all_docs|find)|_node\/[^/]+\/_config|_config)\b/, example: "http://localhost:5984/_users/_all_docs" },
];

/** Whether a host exists to receive what is sent to it. */
export function takesIn(host: string): boolean {
  return RECEIVERS.some((name) => host === name || host.endsWith(`.${name}`));
}
