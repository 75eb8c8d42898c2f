import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { createClientSession } from './client-session.ts';
import { endSocket } from './end-socket.ts';
import { AnswerTooLarge } from './engine.ts';
import { createFrameReader, errorFrame, frame, int32, ProtocolViolation } from './frames.ts';
import { createHandshake, type StartRequest } from './handshake.ts';
import type { Limits } from './limits.ts';
import { reportedSettings } from './reported-settings.ts';
import type { Participant, SessionQueue } from './session-queue.ts';
import { type SharedSession, SqlError } from './shared-session.ts';
import { createUnitQueue } from './unit-queue.ts';

export type Connection = {
  /** Tells the client why, and ends. `code` is a SQLSTATE. */
  close(code: string, reason: string): void;
};

/** One client: reads its messages, runs them in its turns, keeps both within the limits. */
export function createConnection(options: {
  id: number;
  socket: Socket;
  password: string;
  /** ParameterStatus messages of a client without settings of its own. */
  parameters: readonly Buffer[];
  shared: SharedSession;
  queue: SessionQueue;
  limits: Limits;
  /** Called when the client no longer counts as connected. */
  onEnd(): void;
}): Connection {
  const { id, socket, shared, queue, limits } = options;
  const reader = createFrameReader();
  const units = createUnitQueue(limits.maxMessageBytes);
  const send = (...parts: Buffer[]) => {
    socket.cork();
    for (const part of parts) socket.write(part);
    socket.uncork();
  };
  const handshake = createHandshake({ reader, password: options.password, send });
  let session: ReturnType<typeof createClientSession> | undefined;
  let starting: StartRequest | undefined;
  let isLeaving = false;
  let isClosed = false;
  let unreadNotificationBytes = 0;

  const deliver = (notification: Buffer) => {
    if (isClosed) return;
    unreadNotificationBytes = socket.writableLength === 0 ? 0 : unreadNotificationBytes;
    unreadNotificationBytes += notification.length;
    if (unreadNotificationBytes > limits.maxUnsentBytes) close('53400', 'reads too slowly');
    else send(notification);
  };

  const participant: Participant = {
    hasTurn() {
      if (isClosed) return session !== undefined;
      const hasWork = starting !== undefined || units.length() > 0 || isLeaving;
      return hasWork && socket.writableLength <= limits.maxUnsentBytes;
    },
    async takeTurn() {
      if (isClosed) return giveUpSession();
      try {
        return await holdSession();
      } catch (error) {
        close(codeOf(error), error instanceof Error ? error.message : String(error));
        if (isOwnFault(error)) return true;
        throw error;
      }
    },
    evict: () => close('25P03', 'terminating connection due to idle-in-transaction timeout'),
  };

  const giveUpSession = async (): Promise<boolean> => {
    const ending = session;
    session = undefined;
    await ending?.end();
    return false;
  };

  /** One step of this client; resolves to whether it keeps the session. */
  const holdSession = async (): Promise<boolean> => {
    if (starting) return start(starting);
    const unit = units.next();
    if (!unit || !session) {
      markClosed();
      endSocket(socket);
      return session?.isOpen() ?? false;
    }
    const reply = await session.run(unit);
    send(...reply.forClient);
    shared.channels.route(reply.notifications, id);
    if (units.queuedBytes() <= limits.maxQueuedBytes) socket.resume();
    return session.isOpen();
  };

  const start = async ({ settings }: StartRequest): Promise<boolean> => {
    starting = undefined;
    session = createClientSession(id, shared, deliver);
    if (settings.size > 0) await session.start(settings);
    const parameters =
      settings.size > 0 ? await reportedSettings(shared.runSql) : options.parameters;
    const key = frame('K', int32(id), int32(randomInt(2 ** 31)));
    send(frame('R', int32(0)), ...parameters, key, READY);
    return false;
  };

  const read = () => {
    while (!session && !starting) {
      const request = handshake.advance();
      if (!request) return;
      if (request.kind === 'cancel') return endSocket(socket);
      clearTimeout(startupTimer);
      starting = request;
    }
    for (;;) {
      const message = isLeaving ? undefined : reader.next(limits.maxMessageBytes);
      if (!message) break;
      if (message.type === 'X') isLeaving = true;
      else units.add(message);
    }
    if (units.queuedBytes() > limits.maxQueuedBytes) socket.pause();
    queue.ready(participant);
  };

  const close = (code: string, reason: string) => {
    if (isClosed) return;
    markClosed();
    endSocket(socket, isLeaving ? undefined : errorFrame('FATAL', code, reason));
  };

  const markClosed = () => {
    if (isClosed) return;
    isClosed = true;
    options.onEnd();
    clearTimeout(startupTimer);
    units.clear();
    queue.ready(participant);
  };

  const startupTimer = setTimeout(() => close('08006', 'no password in time'), limits.startupMs);
  socket.on('data', (chunk) => {
    if (isClosed) return;
    try {
      reader.push(chunk);
      read();
    } catch (error) {
      if (!isOwnFault(error)) throw error;
      close(codeOf(error), error.message);
    }
  });
  socket.on('drain', () => queue.ready(participant));
  socket.on('error', () => socket.destroy());
  socket.on('close', markClosed);
  return { close };
}

const READY = frame('Z', Buffer.from('I'));

/** Whether the client is to blame, so that only it must go. */
function isOwnFault(error: unknown): error is ProtocolViolation | SqlError | AnswerTooLarge {
  return [ProtocolViolation, SqlError, AnswerTooLarge].some((kind) => error instanceof kind);
}

function codeOf(error: unknown): string {
  if (error instanceof ProtocolViolation || error instanceof SqlError) return error.code;
  return error instanceof AnswerTooLarge ? '54000' : 'XX000';
}
