/* What the contender uses of a queue; the packages themselves are installed when the benchmark runs. */
declare module 'ioredis' {
  export class Redis {
    constructor(port: number, host: string, options: { readonly maxRetriesPerRequest: null });
    disconnect(): void;
  }
}
declare module 'bullmq' {
  import type { Redis } from 'ioredis';

  export class Queue<Data> {
    constructor(name: string, options: { readonly connection: Redis });
    addBulk(
      jobs: readonly {
        readonly name: string;
        readonly data: Data;
        readonly opts: { readonly attempts: number; readonly removeOnComplete: boolean };
      }[],
    ): Promise<unknown>;
    close(): Promise<void>;
  }
  export class Worker<Data> {
    constructor(
      name: string,
      work: (job: { readonly data: Data }) => Promise<void>,
      options: { readonly connection: Redis; readonly concurrency: number },
    );
    on(event: 'completed', listener: () => void): this;
    on(event: 'failed', listener: (job: unknown, error: Error) => void): this;
    close(): Promise<void>;
  }
}
