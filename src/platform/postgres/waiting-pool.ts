import pg from 'pg';

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

const retryMs = 100;
/** How long the pool opens no connection beyond those that it has, after the server refused one. */
const restMs = 1_000;

/**
 * A pool whose callers wait while the server or a session pooler has no connection left, up to
 * `connectionTimeoutMillis`. They continue with a connection that another caller of this pool returns, or with a new
 * one. pg's own pool rejects them at once.
 */
export class WaitingPool extends pg.Pool {
  readonly #size = this.options.max;
  #restTimer: NodeJS.Timeout | undefined;

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const deadline = performance.now() + (this.options.connectionTimeoutMillis ?? 0);
    if (callback !== undefined) {
      this.#attempt(deadline, callback);
      return undefined;
    }
    return new Promise((resolve, reject) =>
      this.#attempt(deadline, (error, client) => (client ? resolve(client) : reject(error))),
    );
  }

  #attempt(deadline: number, callback: ConnectCallback): void {
    super.connect((error, client, release) => {
      const isRefused = error !== undefined && isOutOfConnections(error);
      if (!isRefused || this.ending || performance.now() >= deadline) {
        callback(error, client, release);
        return;
      }
      this.#rest();
      setTimeout(() => this.#attempt(deadline, callback), retryMs * (1 + Math.random()));
    });
  }

  /** Lets callers queue for the connections of this pool, so that not each of them asks the server again. */
  #rest(): void {
    this.options.max = Math.max(1, this.totalCount);
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => {
      this.options.max = this.#size;
    }, restMs);
    this.#restTimer.unref();
  }
}

/** Refusals of Postgres (of the server, the database or the role), PgBouncer and Supavisor. */
function isOutOfConnections(error: Error): boolean {
  return (
    Reflect.get(error, 'code') === '53300' ||
    /no more connections allowed|max ?clients/i.test(error.message)
  );
}
