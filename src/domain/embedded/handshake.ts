import { createHash, timingSafeEqual } from 'node:crypto';
import { type FrameReader, frame, int32, MAX_STARTUP_BYTES, ProtocolViolation } from './frames.ts';
import { readStartupPacket } from './startup-packet.ts';

/** The user is a role of the database; settings are those of the start-up packet. */
export type StartRequest = { kind: 'start'; settings: Map<string, string> };

export type Handshake = {
  /** Goes on with what was read; the client's request once it gave the password. */
  advance(): StartRequest | { kind: 'cancel' } | undefined;
};

/** The only database of a PGlite, and its first role. */
export const DATABASE = 'postgres';
export const SUPERUSER = 'postgres';

/** @throws ProtocolViolation from `advance` for a wrong password, database or message. */
export function createHandshake(options: {
  reader: FrameReader;
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
      send(NO_ENCRYPTION);
    } else {
      request = startup;
      send(ASK_FOR_PASSWORD);
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
      const message = reader.next(MAX_STARTUP_BYTES);
      if (!message) return undefined;
      const given = message.bytes.toString('utf8', 5, message.bytes.length - 1);
      if (message.type !== 'p' || !isEqual(given, options.password)) {
        throw new ProtocolViolation('28P01', 'password authentication failed');
      }
      if (request.database !== DATABASE) {
        throw new ProtocolViolation('3D000', `database "${request.database}" does not exist`);
      }
      const settings = new Map(request.settings);
      if (/^utf-?8$/i.test(settings.get('client_encoding') ?? ''))
        settings.delete('client_encoding');
      if (request.user !== SUPERUSER) settings.set('session_authorization', request.user);
      return { kind: 'start', settings };
    },
  };
}

const NO_ENCRYPTION = Buffer.from('N');
/** AuthenticationCleartextPassword: the password is random and never leaves this machine. */
const ASK_FOR_PASSWORD = frame('R', int32(3));

function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
