import type { Socket } from 'node:net';

/** Ends a socket, with a message if any, whether or not the other side still reads or writes. */
export function endSocket(socket: Socket, message?: Buffer): void {
  if (message) socket.write(message);
  socket.end();
  socket.resume(); // what is left unread would keep it open
  setTimeout(() => socket.destroy(), TIMEOUT_MS).unref();
}

/** How long the other side may take to read it. */
const TIMEOUT_MS = 1_000;
