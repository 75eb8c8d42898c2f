import type { Socket } from 'node:net';

/** Sends an optional last message and closes the socket, even if the peer does not read or does not stop writing. */
export function flushAndCloseSocket(socket: Socket, message?: Buffer): void {
  if (message) socket.write(message);
  socket.end();
  socket.resume(); // unread data would keep the socket open
  setTimeout(() => socket.destroy(), closeTimeoutMs).unref();
}

/** Time for the peer to read the last message before the socket is destroyed. */
const closeTimeoutMs = 1_000;
