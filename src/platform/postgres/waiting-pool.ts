import pg from 'pg';
import { withCurrentSpan } from '../tracing/tracer.ts';

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

const retryMs = 100;
/** After the server refused a connection, the pool opens no additional connections for this time. */
const restMs = 1_000;

/**
 * A pool whose callers wait, up to `connectionTimeoutMillis`, while the server or a session pooler has no free
 * connection. A waiting caller continues with a connection that another caller of this pool returns, or with a new
 * connection. pg's own pool would reject these callers at once.
 */
export class WaitingPool extends pg.Pool {
  readonly #size = this.options.max;
  #restTimer: NodeJS.Timeout | undefined;

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const deadline = performance.now() + (this.options.connectionTimeoutMillis ?? 0);
    if (callback !== undefined) {
      // Otherwise the statement of a waiting caller would belong to the span of the caller that returns the connection.
      this.#attempt(deadline, withCurrentSpan(callback));
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

  /**
   * Connects within the time until `deadline`. Sets pg's timeout option for the call, because pg reads the option
   * during `connect`.
   */
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

  /**
   * Limits the pool to its open connections for a while. Callers then wait for one of these, and do not each ask the
   * server again.
   */
  #rest(): void {
    this.options.max = Math.max(1, this.totalCount);
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#grow(), restMs);
    this.#restTimer.unref();
  }

  /** Opens one connection after another for the queued callers, until the server refuses one. */
  #grow(): void {
    this.options.max = this.#size;
    const count = this.totalCount;
    if (this.ending || this.waitingCount === 0 || this.idleCount > 0 || count >= this.#size) return;
    super.connect((error, _client, release) => {
      if (error !== undefined) {
        this.#rest();
        return;
      }
      // The pool gives the released connection to the first caller in the queue.
      release();
      this.#grow();
    });
    // Without this limit, pg would open a connection for each queued caller if this connection is refused.
    this.options.max = Math.max(1, count);
  }
}

/**
 * Whether Postgres (for the server, the database or the role), PgBouncer or Supavisor refused a connection because the
 * limit is reached.
 */
function isOutOfConnections(error: Error): boolean {
  return (
    Reflect.get(error, 'code') === '53300' ||
    /no more connections allowed|max ?clients/i.test(error.message)
  );
}
