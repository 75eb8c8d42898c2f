import pg from 'pg';

/**
 * Asks the server, over a connection of its own, to cancel what `client` is running: the statement then fails with
 * 57014. PgBouncer and Supavisor pass this on. Where it cannot be asked within `timeoutMs`, nothing happens.
 * pg's own `cancel` does not speak TLS.
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

/** What pg has and its types do not tell. */
type CancellableClient = pg.Client & { readonly processID: number; readonly secretKey: number };
type CancellingConnection = pg.Connection & {
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
};
