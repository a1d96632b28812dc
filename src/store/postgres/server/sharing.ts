/** One connection that several users have at the same time. */
type Lane<Client> = { client: Promise<Client>; users: number; failure: Error | undefined };

export type Sharing<Client> = {
  most: number;
  open: () => Promise<Client>;
  close: (client: Client, failure: Error | undefined) => void;
};

/**
 * Users who only ask single questions need no connection of their own: the driver sends a question without waiting for the
 * answers to those before it. There are at most so many lanes, and each user gets the one with the fewest users. After a
 * failure nobody joins a lane, and its connection is thrown away when the last user has left.
 */
export function sharing<Client>({ most, open, close }: Sharing<Client>) {
  const lanes = new Set<Lane<Client>>();
  const join = (): Lane<Client> => {
    const [emptiest] = [...lanes].sort((a, b) => a.users - b.users);
    if (emptiest !== undefined && (emptiest.users === 0 || lanes.size >= most)) return emptiest;
    const lane = { client: open(), users: 0, failure: undefined };
    lanes.add(lane);
    return lane;
  };
  const fail = (lane: Lane<Client>, error: unknown) => {
    lane.failure ??= error instanceof Error ? error : new Error(String(error));
    lanes.delete(lane);
  };
  const leave = (lane: Lane<Client>, client: Client) => {
    lane.users -= 1;
    if (lane.users > 0) return;
    lanes.delete(lane);
    close(client, lane.failure);
  };
  return async <T>(act: (client: Client) => Promise<T>): Promise<T> => {
    const lane = join();
    lane.users += 1;
    const client = await lane.client.catch((error) => {
      fail(lane, error);
      throw error;
    });
    try {
      return await act(client);
    } catch (error) {
      fail(lane, error);
      throw error;
    } finally {
      leave(lane, client);
    }
  };
}
