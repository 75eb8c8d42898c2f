import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  /** Address of the server, such as `smtp://127.0.0.1:41234`. */
  readonly url: string;
  /** The accepted messages and their recipients. */
  readonly received: ReceivedMail[];
  /** `accept` stores messages, `refuse` rejects recipients, and `hang` never answers a message. */
  mode: 'accept' | 'refuse' | 'hang';
  stop(): Promise<void>;
}

export interface ReceivedMail {
  readonly recipients: readonly string[];
  readonly raw: string;
}

/** Starts an SMTP server that stores the mail it receives. */
export async function startMailServer(): Promise<MailServer> {
  const state: Pick<MailServer, 'mode' | 'received'> = { mode: 'accept', received: [] };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, callback) {
      callback(state.mode === 'refuse' ? new Error('mailbox unavailable') : null);
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (state.mode === 'hang') return;
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        state.received.push({ recipients, raw: Buffer.concat(chunks).toString('utf8') });
        callback();
      });
    },
  });
  server.on('error', () => {}); // clients may disconnect
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}
