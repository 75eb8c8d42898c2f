import pg from 'pg';
import { hostUrls } from './database-url.ts';
import { type PrimaryHost, primaryHostOf } from './primary-host.ts';

/**
 * Returns the options of a pool that connects to the database of the URL. If the URL names several hosts, the clients
 * connect to the host that accepts writes.
 */
export function connectionOptions(
  url: string,
  Client: typeof pg.Client = pg.Client,
): { readonly connectionString: string; readonly Client: typeof pg.Client } {
  const primaryHost = primaryHostOf(url);
  if (primaryHost === null) return { connectionString: url, Client };
  // All hosts have the same login, parameters and TLS settings.
  const [connectionString = url] = hostUrls(url);
  return { connectionString, Client: createClientClass(Client, primaryHost) };
}

/** Returns a client for one connection to the database of the URL. See `connectionOptions`. */
export function createClient(
  url: string,
  settings: Omit<pg.ClientConfig, 'connectionString'>,
): pg.Client {
  const { connectionString, Client } = connectionOptions(url);
  return new Client({ connectionString, ...settings });
}

type ConnectCallback = (error: Error | null, client?: pg.Client) => void;

function createClientClass(Client: typeof pg.Client, primaryHost: PrimaryHost): typeof pg.Client {
  return class extends Client {
    readonly #timeoutMs: number;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const timeoutMs = typeof config === 'object' ? config.connectionTimeoutMillis : undefined;
      this.#timeoutMs = timeoutMs || defaultTimeoutMs;
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: ConnectCallback): void;
    override connect(callback?: ConnectCallback): Promise<pg.Client> | undefined {
      const connected = this.#connect();
      if (callback === undefined) return connected;
      connected.then(
        () => callback(null, this),
        (error) => callback(error),
      );
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      const primary = await withTimeout(primaryHost.find(), this.#timeoutMs);
      // pg uses both to connect and to verify the certificate. A cancel request uses them, too.
      this.host = primary.host;
      this.port = primary.port;
      let isStandby = false;
      this.connection.on('parameterStatus', (status: ParameterStatus) => {
        if (status.parameterName === 'in_hot_standby') isStandby = status.parameterValue === 'on';
      });
      primaryHost.track(this, primary);
      try {
        await super.connect();
      } catch (error) {
        primaryHost.forget(primary);
        throw error;
      }
      if (!isStandby) return this;
      // The server became a standby after it was asked. Postgres reports that when a connection starts.
      primaryHost.forget(primary);
      this.end().catch(() => {});
      throw new Error(`Connection terminated: ${primary.name} is a standby now`);
    }
  };
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

const defaultTimeoutMs = 10_000;

async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const message = 'Connection terminated: no host of the database has answered in time';
    timer = setTimeout(() => reject(new Error(message)), timeoutMs);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
