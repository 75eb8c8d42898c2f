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
    this.#connectBefore(deadline, (error, client, release) => {
      const isRefused = error !== undefined && isOutOfConnections(error);
      const delayMs = retryMs * (1 + Math.random());
      if (!isRefused || this.ending || performance.now() + delayMs >= deadline) {
        callback(error, client, release);
        return;
      }
      this.#rest();
      setTimeout(() => this.#attempt(deadline, callback), delayMs);
    });
  }

  /** Connects in the time that is left. pg reads its timeout while `connect` runs. */
  #connectBefore(deadline: number, callback: ConnectCallback): void {
    const { connectionTimeoutMillis: timeoutMs } = this.options;
    if (!timeoutMs) {
      super.connect(callback);
      return;
    }
    const leftMs = Math.ceil(deadline - performance.now());
    this.options.connectionTimeoutMillis = Math.min(timeoutMs, Math.max(1, leftMs));
    super.connect(callback);
    this.options.connectionTimeoutMillis = timeoutMs;
  }

  /** Lets callers queue for the connections of this pool, so that not each of them asks the server again. */
  #rest(): void {
    this.options.max = Math.max(1, this.totalCount);
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#grow(), restMs);
    this.#restTimer.unref();
  }

  /** Opens a connection for each queued caller, one after the other, until the server refuses one. */
  #grow(): void {
    this.options.max = this.#size;
    const count = this.totalCount;
    if (this.ending || this.waitingCount === 0 || this.idleCount > 0 || count >= this.#size) return;
    super.connect((error, _client, release) => {
      if (error !== undefined) {
        this.#rest();
        return;
      }
      // The first caller of the queue gets the returned connection.
      release();
      this.#grow();
    });
    // If this connection is refused, pg would open one for each queued caller.
    this.options.max = Math.max(1, count);
  }
}

/** Refusals of Postgres (of the server, the database or the role), PgBouncer and Supavisor. */
function isOutOfConnections(error: Error): boolean {
  return (
    Reflect.get(error, 'code') === '53300' ||
    /no more connections allowed|max ?clients/i.test(error.message)
  );
}
