import { Socket as DatagramSocket } from 'node:dgram';
import dns from 'node:dns';
import { Server, Socket } from 'node:net';

/**
 * Makes all network calls of this process fail, including calls of libraries. Hostile code that already runs in the
 * process could undo this. So it is the second defense after `forkSandbox`, and the only defense where the system has
 * no namespaces.
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
