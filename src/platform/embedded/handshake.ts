import { createHash, timingSafeEqual } from 'node:crypto';
import { readStartupPacket } from './startup-packet.ts';
import {
  encodeMessage,
  int32,
  maxStartupBytes,
  ProtocolViolation,
  type WireMessageReader,
} from './wire-messages.ts';

/**
 * Request to start a session with `settings`. These are the settings of the start-up packet, and
 * `session_authorization` if the client's role is not postgres.
 */
export interface StartRequest {
  kind: 'start';
  settings: Map<string, string>;
}

export interface Handshake {
  /**
   * Processes the buffered messages. Returns a start request when the password is accepted. Returns the cancel request
   * if the client sent one. Returns undefined if more messages are needed.
   */
  advance(): StartRequest | { kind: 'cancel' } | undefined;
}

/** Name of PGlite's only database. */
export const databaseName = 'postgres';
export const superuser = 'postgres';

/**
 * Creates the state of one connection's start-up and password exchange.
 * @throws ProtocolViolation from `advance` when the password, database or message is invalid.
 */
export function createHandshake(options: {
  reader: WireMessageReader;
  password: string;
  send(bytes: Buffer): void;
}): Handshake {
  const { reader, send } = options;
  let request: { user: string; database: string; settings: Map<string, string> } | undefined;

  const readRequest = (): 'again' | 'cancel' | 'incomplete' => {
    const packet = reader.nextStartup();
    if (!packet) return 'incomplete';
    const startup = readStartupPacket(packet);
    if (startup.kind === 'cancel') return 'cancel';
    if (startup.kind === 'encryption') {
      send(encryptionRefusedMessage);
    } else {
      request = startup;
      send(passwordRequestMessage);
    }
    return 'again';
  };

  return {
    advance() {
      while (!request) {
        const step = readRequest();
        if (step === 'cancel') return { kind: 'cancel' };
        if (step === 'incomplete') return undefined;
      }
      const message = reader.next(maxStartupBytes);
      if (!message) return undefined;
      const given = message.bytes.toString('utf8', 5, message.bytes.length - 1);
      if (message.type !== 'p' || !isEqual(given, options.password)) {
        throw new ProtocolViolation('28P01', 'password authentication failed');
      }
      if (request.database !== databaseName) {
        throw new ProtocolViolation('3D000', `database "${request.database}" does not exist`);
      }
      const settings = new Map(request.settings);
      if (/^utf-?8$/i.test(settings.get('client_encoding') ?? ''))
        settings.delete('client_encoding');
      if (request.user !== superuser) settings.set('session_authorization', request.user);
      return { kind: 'start', settings };
    },
  };
}

const encryptionRefusedMessage = Buffer.from('N');
/**
 * AuthenticationCleartextPassword message. Clear text is safe here, because the password is random and only sent over
 * loopback.
 */
const passwordRequestMessage = encodeMessage('R', int32(3));

function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
