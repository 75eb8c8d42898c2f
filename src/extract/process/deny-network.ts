import { Socket as DatagramSocket } from 'node:dgram';
import dns from 'node:dns';
import { Server, Socket } from 'node:net';

/**
 * Makes network calls of this process fail, those of libraries included. Code that already runs freely in the process
 * could undo this. It is the second line behind `forkSandbox`, and the only one where the system has no namespaces.
 */
export function denyNetwork(): void {
  const deny = () => {
    throw new Error('The network is not available in this process');
  };
  Object.assign(Socket.prototype, { connect: deny });
  Object.assign(Server.prototype, { listen: deny });
  Object.assign(DatagramSocket.prototype, { bind: deny, connect: deny, send: deny });
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'reverse']) {
    Object.assign(dns, { [name]: deny });
    Object.assign(dns.promises, { [name]: deny });
  }
  Object.assign(dns.Resolver.prototype, { resolve: deny, resolve4: deny, resolve6: deny });
}
