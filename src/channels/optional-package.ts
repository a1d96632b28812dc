import { isMissingPackage } from "../core/values/missing-package.ts";
import { ChannelFailure } from "../ports.ts";

/** Loads a package that only one channel needs. People who do not use the channel need not install it. */
export async function optionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    throw new ChannelFailure(
      "down",
      `the package ${name} is not installed: run \`npm install ${name}\` where leeway is installed, then start the server again`,
    );
  }
}
