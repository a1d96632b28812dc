// What people can do with a question in a channel instead of answering it, as far as all channels share it.

/** The times until which a question can be put aside with one press. Other times are chosen in the inbox. */
export const SNOOZES = { hour: "1h", tomorrow: "tomorrow 9:00" } as const;

/** More people than this are not listed: their name is typed. */
export const LISTED_MAX = 50;

/** Words to the agent and notes. */
export const WORDS_MAX = 1000;
