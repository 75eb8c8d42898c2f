import { ProtocolViolation, readCString, type WireMessage } from './wire-messages.ts';

/** Requests that a client may send before authentication. */
export type StartupRequest =
  | { kind: 'encryption' }
  | { kind: 'cancel' }
  | { kind: 'start'; user: string; database: string; settings: Map<string, string> };

const protocolVersion3 = 3;
const cancelRequest = 80877102;
const sslRequest = 80877103;
const gssRequest = 80877104;

/**
 * Parses a start-up packet: https://www.postgresql.org/docs/18/protocol-message-formats.html. Returns in `settings` the
 * server settings that the client requests, including the settings in `options`.
 * @throws ProtocolViolation when the protocol version is not 3, the client requests replication, or a string is
 * malformed.
 */
export function readStartupPacket(packet: WireMessage): StartupRequest {
  if (packet.bytes.length < 8) throw new ProtocolViolation('08P01', 'invalid start-up packet');
  const code = packet.bytes.readInt32BE(4);
  if (code === sslRequest || code === gssRequest) return { kind: 'encryption' };
  if (code === cancelRequest) return { kind: 'cancel' };
  if (code >>> 16 !== protocolVersion3) {
    throw new ProtocolViolation('0A000', `unsupported frontend protocol ${code >>> 16}`);
  }
  const { user = '', database = user, options = '', replication, ...rest } = readPairs(packet);
  if (replication !== undefined && !/^(false|off|no|0)$/i.test(replication)) {
    throw new ProtocolViolation('0A000', 'replication is not supported');
  }
  const settings = new Map(readOptions(options));
  for (const [name, value] of Object.entries(rest)) {
    if (!name.startsWith('_pq_.')) settings.set(name, value);
  }
  return { kind: 'start', user, database, settings };
}

function readPairs(packet: WireMessage): Record<string, string> {
  const pairs = new Map<string, string>();
  for (let at = 8; at < packet.bytes.length - 1; ) {
    const name = readCString(packet.bytes, at);
    const value = readCString(packet.bytes, name.end);
    pairs.set(name.text, value.text);
    at = value.end;
  }
  return Object.fromEntries(pairs);
}

/** Parses settings in the forms `-c name=value`, `-cname=value` and `--name=value`. A backslash escapes a space. */
function readOptions(options: string): [string, string][] {
  const words = (options.match(/(?:\\.|[^\s\\])+/g) ?? []).map((w) => w.replace(/\\(.)/g, '$1'));
  const pairs: [string, string][] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] === '-c' ? `-c${words[++i] ?? ''}` : (words[i] ?? '');
    const match = /^(?:-c|--)([^=]+)=(.*)$/s.exec(word);
    if (!match) throw new ProtocolViolation('42601', `invalid command-line argument: ${word}`);
    pairs.push([(match[1] ?? '').replaceAll('-', '_'), match[2] ?? '']);
  }
  return pairs;
}
