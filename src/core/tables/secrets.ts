// How secrets look: data only, one line each. Every pattern starts with fixed letters at the start of a word and has only one
// possible length, so that any text is scanned once.

type SecretRow = { what: string; pattern: string };

// biome-ignore format: one line each
export const SECRET_ROWS: readonly SecretRow[] = [
  { what: "AWS key id", pattern: "(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ANVA|AIPA|ABIA|ACCA)[A-Z0-9]{16,}" },
  { what: "GitHub token", pattern: "gh[pousr]_[A-Za-z0-9]{20,}" },
  { what: "GitHub fine-grained token", pattern: "github_pat_[A-Za-z0-9_]{20,}" },
  { what: "GitLab token", pattern: "gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|oas)-[A-Za-z0-9_.-]{16,}" },
  { what: "Slack token", pattern: "xox[abeoprs]-[A-Za-z0-9-]{10,}" },
  { what: "Slack app token", pattern: "xapp-[A-Za-z0-9-]{10,}" },
  { what: "Stripe key", pattern: "(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}" },
  { what: "Stripe or webhook secret", pattern: "whsec_[A-Za-z0-9+/=]{16,}" },
  { what: "Google key", pattern: "AIza[A-Za-z0-9_-]{30,}" },
  { what: "Google token", pattern: "ya29\\.[A-Za-z0-9_-]{16,}" },
  { what: "Google client secret", pattern: "GOCSPX-[A-Za-z0-9_-]{16,}" },
  { what: "npm token", pattern: "npm_[A-Za-z0-9]{20,}" },
  { what: "PyPI token", pattern: "pypi-AgE[A-Za-z0-9_-]{16,}" },
  { what: "model provider key", pattern: "sk-(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,}" },
  { what: "model provider key", pattern: "(?:xai-|tvly-|pplx-|nvapi-)(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{16,}" },
  { what: "model provider key", pattern: "(?:gsk_|r8_|hf_)[A-Za-z0-9]{20,}" },
  { what: "DigitalOcean token", pattern: "do[por]_v1_[a-f0-9]{32,}" },
  { what: "SendGrid key", pattern: "SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}" },
  { what: "Shopify token", pattern: "shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}" },
  { what: "Linear key", pattern: "lin_(?:api|oauth)_[A-Za-z0-9]{16,}" },
  { what: "Notion key", pattern: "(?:ntn_|secret_)[A-Za-z0-9]{30,}" },
  { what: "Atlassian token", pattern: "ATATT3[A-Za-z0-9_=-]{20,}" },
  { what: "Docker token", pattern: "dckr_pat_[A-Za-z0-9_-]{16,}" },
  { what: "Vault token", pattern: "hv[sbr]\\.[A-Za-z0-9_-]{16,}" },
  { what: "age key", pattern: "AGE-SECRET-KEY-1[A-Z0-9]{16,}" },
  { what: "Databricks token", pattern: "dapi[a-f0-9]{32,}" },
  { what: "Grafana token", pattern: "gl(?:sa|c)_[A-Za-z0-9_+/=]{16,}" },
  { what: "New Relic key", pattern: "NRAK-[A-Z0-9]{16,}" },
  { what: "Postman key", pattern: "PMAK-[A-Za-z0-9-]{16,}" },
  { what: "Figma token", pattern: "figd_[A-Za-z0-9_-]{16,}" },
  { what: "Supabase token", pattern: "sb[ps]_[A-Za-z0-9]{16,}" },
  { what: "Twilio key", pattern: "SK[a-f0-9]{32,}" },
  { what: "Mailgun key", pattern: "key-[a-f0-9]{32,}" },
  { what: "Telegram bot token", pattern: "(?:bot)?[0-9]{8,10}:[A-Za-z0-9_-]{30,}" },
  { what: "JSON web token", pattern: "eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]{0,})?" },
];

/** Secrets that cards mask in another way, and that no request should contain: the head of a key, a database address with a password. */
export const SENT_SECRETS: readonly string[] = [
  "-----BEGIN[ +](?:[A-Z0-9]{2,9}[ +]){0,2}PRIVATE[ +]KEY",
  "(?:postgres|postgresql|mysql|mariadb|mongodb|mongodb\\+srv|redis|rediss|amqp|amqps)://[^\\s:@/]{0,64}:[^\\s@/]{1,128}@",
];

/** Names of arguments, headers and variables whose value is a secret, without case and separators. */
export const SECRET_NAMES = {
  anywhere: (
    "password passwd passphrase apikey secretkey accesskey privatekey signingkey encryptionkey accountkey " +
    "clientsecret authtoken accesstoken refreshtoken idtoken bearertoken sessiontoken credential connectionstring"
  ).split(" "),
  atEnd: "secret secrets token pwd authorization cookie setcookie apisecret".split(" "),
  whole: "auth bearer jwt pin cvv cvc otp pass authorization cookie ssn cardnumber".split(" "),
  /** A name that contains one of these, or is `pass` or ends in `pwd`, is for passwords that people invent, often of several words. */
  phrases: "password passwd passphrase".split(" "),
};
