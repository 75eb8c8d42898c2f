import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** A DNS server over UDP. */
export interface DnsServer {
  /** Address with port, such as `127.0.0.1:40123`. */
  readonly address: string;
  /** Queried names, one entry per query. */
  readonly queriedNames: readonly string[];
  close(): Promise<void>;
}

const typeA = 1;
const typeAaaa = 28;
const nxDomain = 3;

/** Starts a server that resolves these names to their IPv4 and IPv6 addresses. Answers NXDOMAIN for other names. */
export async function startDnsServer(
  names: Readonly<Record<string, readonly string[]>>,
): Promise<DnsServer> {
  const queriedNames: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    queriedNames.push(name);
    const known = names[name];
    const wanted = (known ?? []).filter((one) => type === (isIPv4(one) ? typeA : typeAaaa));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (known === undefined ? nxDomain : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(wanted.length, 6);
    const records = wanted.map((one) => record(type, one));
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queriedNames,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Encodes a resource record. The name of the record is a compression pointer (0xc00c) to the name in the question. */
function record(type: number, address: string): Buffer {
  const data = type === typeA ? ipv4Bytes(address) : ipv6Bytes(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv4Bytes(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

/** Encodes an IPv6 address. The address must not contain an embedded IPv4 address. */
function ipv6Bytes(address: string): Buffer {
  const [before = '', after = ''] = address.split('::');
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((one) => Number(`0x${one}`));
  const left = groups(before);
  const right = groups(after);
  const all = [...left, ...Array(8 - left.length - right.length).fill(0), ...right];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
