import type { ChannelSettings } from "../core/channel.ts";
import type { Channel, ChannelMaker, TrialLimits } from "../ports.ts";
import type { ChannelTools } from "./tools.ts";

// The channels of a policy. Each is a file or a folder of its own and is loaded only when a policy sets it up.

/** Channels are kept as long as their settings stay the same. */
export function channelMaker(tools: ChannelTools): ChannelMaker {
  const made = new Map<string, { text: string; channel: Promise<Channel> }>();
  return {
    open: (settings) => {
      const text = JSON.stringify(settings);
      const known = made.get(settings.kind);
      if (known?.text === text) return known.channel;
      const channel = channelOf(settings, tools);
      made.set(settings.kind, { text, channel });
      // If making a channel failed, it is tried again the next time.
      channel.catch(() => made.get(settings.kind)?.channel === channel && made.delete(settings.kind));
      void known?.channel.then((old) => old.close?.()).catch(() => undefined);
      return channel;
    },
    trial: (settings, limits) => channelOf(settings, tools, limits),
    hasSecret: (ref) => canRead(() => tools.secret(ref)),
    close: async () => {
      for (const { channel } of made.values()) await (await channel).close?.();
    },
  };
}

function canRead(read: () => string): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** `trial`: of the channels whose address an admin can choose before a policy has it, only mail works without a secret. */
async function channelOf(settings: ChannelSettings, tools: ChannelTools, trial?: TrialLimits): Promise<Channel> {
  switch (settings.kind) {
    case "webhook":
      return (await import("./webhook.ts")).webhookChannel(settings, tools);
    case "terminal":
      return (await import("./terminal.ts")).terminalChannel(tools);
    case "email":
      return (await import("./email.ts")).emailChannel(settings, tools, trial);
    case "push":
      return (await import("./push.ts")).pushChannel(settings, tools);
    case "feishu":
      return (await import("./feishu/channel.ts")).feishuChannel(settings, tools);
    case "slack":
      return (await import("./slack/channel.ts")).slackChannel(settings, tools);
  }
}
