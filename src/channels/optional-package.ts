import { ChannelFailure } from "../ports.ts";

/** Loads a package that only one channel needs. People who do not use the channel need not install it. */
export async function optionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && MISSING.includes(String(error.code));
    if (!isMissing) throw error;
    throw new ChannelFailure(
      "down",
      `the package ${name} is not installed: run \`npm install ${name}\` where leeway is installed, then start the server again`,
    );
  }
}

const MISSING = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"];
