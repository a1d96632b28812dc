import { ChannelFailure } from "../ports.ts";

/** A package that only one channel needs, so that whoever does not use the channel does not install it. */
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
