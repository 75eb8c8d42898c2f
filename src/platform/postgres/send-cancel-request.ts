import pg from 'pg';

/**
 * Asks Postgres over a separate connection to cancel the statement that `client` runs. The statement then fails with
 * SQLSTATE 57014. PgBouncer and Supavisor forward the request. Does nothing if the separate connection is not open
 * within `timeoutMs`. Does not use pg's own `cancel`, which does not support TLS.
 */
export function sendCancelRequest(client: pg.Client, timeoutMs: number): void {
  const { host, port, ssl, processID, secretKey } = client as CancellableClient;
  const connection = new pg.Connection({ ssl }) as CancellingConnection;
  const timer = setTimeout(() => connection.stream.destroy(), timeoutMs);
  connection.on('error', () => {});
  connection.on('end', () => clearTimeout(timer));
  if (ssl) connection.on('connect', () => connection.requestSsl());
  connection.on(ssl ? 'sslconnect' : 'connect', () => connection.cancel(processID, secretKey));
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
}

/** Members of pg that its type definitions omit. */
type CancellableClient = pg.Client & { readonly processID: number; readonly secretKey: number };
type CancellingConnection = pg.Connection & {
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
};
