export type StartedPostgres = {
  port: number;
  url(database: string): string;
  createDatabase(name: string): Promise<void>;
  halt(signal?: NodeJS.Signals): Promise<void>;
  resume(): Promise<void>;
  crash(): Promise<void>;
  stop(): Promise<void>;
};

export function startPostgres(options?: { durable?: boolean; port?: number }): Promise<StartedPostgres>;
