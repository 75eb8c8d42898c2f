import type { Socket } from 'node:net';

/** Ends a socket with a message, whether or not the other side still reads or writes. */
export function endWith(socket: Socket, message: Buffer): void {
  socket.end(message);
  socket.resume(); // what is left unread would keep it open
  setTimeout(() => socket.destroy(), TIMEOUT_MS).unref();
}

/** How long the other side may take to read why. */
const TIMEOUT_MS = 1_000;
