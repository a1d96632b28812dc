/** The command line. Returns the exit code. */
export async function main(_args: readonly string[]): Promise<number> {
  process.stderr.write("leeway: no commands yet\n");
  return 1;
}
