export type StartedPostgres = {
  port: number;
  url(database: string): string;
  createDatabase(name: string): Promise<void>;
  crash(): Promise<void>;
  stop(): Promise<void>;
};

export function startPostgres(options?: { durable?: boolean; port?: number }): Promise<StartedPostgres>;
