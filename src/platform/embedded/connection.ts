import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { createClientSession } from './client-session.ts';
import { ResponseTooLargeError } from './engine.ts';
import { flushAndCloseSocket } from './flush-and-close-socket.ts';
import { createHandshake, type StartRequest } from './handshake.ts';
import type { Limits } from './limits.ts';
import { createMessageBatchQueue } from './message-batch-queue.ts';
import { readParameterStatus } from './parameter-status.ts';
import type { SessionQueue, SessionUser } from './session-queue.ts';
import { type SharedSession, SqlError } from './shared-session.ts';
import {
  createWireMessageReader,
  encodeMessage,
  errorResponse,
  int32,
  ProtocolViolation,
} from './wire-messages.ts';

export interface Connection {
  /** Sends a FATAL error and closes the connection. `code` is a SQLSTATE. */
  close(code: string, reason: string): void;
}

/** Serves one client socket: reads its messages, runs them when the client has the session, and enforces the limits. */
export function createConnection(options: {
  id: number;
  socket: Socket;
  password: string;
  /** ParameterStatus messages for a client that requests no settings. */
  parameters: readonly Buffer[];
  shared: SharedSession;
  queue: SessionQueue;
  limits: Limits;
  /** Called when the client no longer counts towards `maxConnections`. */
  onClosed(): void;
}): Connection {
  const { id, socket, shared, queue, limits } = options;
  const reader = createWireMessageReader();
  const batches = createMessageBatchQueue(limits.maxMessageBytes);
  const send = (...parts: Buffer[]) => {
    socket.cork();
    for (const part of parts) socket.write(part);
    socket.uncork();
  };
  const handshake = createHandshake({ reader, password: options.password, send });
  let session: ReturnType<typeof createClientSession> | undefined;
  let pendingStart: StartRequest | undefined;
  let isTerminating = false;
  let isClosed = false;
  let unreadNotificationBytes = 0;

  const deliver = (notification: Buffer) => {
    if (isClosed) return;
    unreadNotificationBytes = socket.writableLength === 0 ? 0 : unreadNotificationBytes;
    unreadNotificationBytes += notification.length;
    if (unreadNotificationBytes > limits.maxUnsentBytes)
      close('53400', 'client reads notifications too slowly');
    else send(notification);
  };

  const participant: SessionUser = {
    isReady() {
      if (isClosed) return session !== undefined;
      const hasWork = pendingStart !== undefined || batches.length() > 0 || isTerminating;
      return hasWork && socket.writableLength <= limits.maxUnsentBytes;
    },
    async runTurn() {
      if (isClosed) return releaseSession();
      try {
        return await runStep();
      } catch (error) {
        close(sqlStateOf(error), error instanceof Error ? error.message : String(error));
        if (isClientError(error)) return true;
        throw error;
      }
    },
    evict: () => close('25P03', 'terminating connection due to idle-in-transaction timeout'),
  };

  const releaseSession = async (): Promise<boolean> => {
    const ending = session;
    session = undefined;
    await ending?.close();
    return false;
  };

  /**
   * Processes the start-up request or runs one batch. Resolves to true if the client keeps the session for its next
   * batch.
   */
  const runStep = async (): Promise<boolean> => {
    if (pendingStart) return start(pendingStart);
    const batch = batches.next();
    if (!batch || !session) {
      markClosed();
      flushAndCloseSocket(socket);
      return session?.isHoldingSession() ?? false;
    }
    const reply = await session.run(batch);
    send(...reply.clientMessages);
    shared.channels.dispatch(reply.notifications, id);
    if (batches.queuedBytes() <= limits.maxQueuedBytes) socket.resume();
    return session.isHoldingSession();
  };

  const start = async ({ settings }: StartRequest): Promise<boolean> => {
    pendingStart = undefined;
    session = createClientSession(id, shared, deliver);
    if (settings.size > 0) await session.start(settings);
    const parameters =
      settings.size > 0 ? await readParameterStatus(shared.runSql) : options.parameters;
    const key = encodeMessage('K', int32(id), int32(randomInt(2 ** 31)));
    send(encodeMessage('R', int32(0)), ...parameters, key, readyMessage);
    return false;
  };

  const read = () => {
    while (!session && !pendingStart) {
      const request = handshake.advance();
      if (!request) return;
      if (request.kind === 'cancel') return flushAndCloseSocket(socket);
      clearTimeout(startupTimer);
      pendingStart = request;
    }
    for (;;) {
      const message = isTerminating ? undefined : reader.next(limits.maxMessageBytes);
      if (!message) break;
      if (message.type === 'X') isTerminating = true;
      else batches.add(message);
    }
    if (batches.queuedBytes() > limits.maxQueuedBytes) socket.pause();
    queue.notifyReady(participant);
  };

  const close = (code: string, reason: string) => {
    if (isClosed) return;
    markClosed();
    flushAndCloseSocket(socket, isTerminating ? undefined : errorResponse('FATAL', code, reason));
  };

  const markClosed = () => {
    if (isClosed) return;
    isClosed = true;
    options.onClosed();
    clearTimeout(startupTimer);
    batches.clear();
    queue.notifyReady(participant);
  };

  const startupTimer = setTimeout(
    () => close('08006', 'authentication timed out'),
    limits.startupTimeoutMs,
  );
  socket.on('data', (chunk) => {
    if (isClosed) return;
    try {
      reader.push(chunk);
      read();
    } catch (error) {
      if (!isClientError(error)) throw error;
      close(sqlStateOf(error), error.message);
    }
  });
  socket.on('drain', () => queue.notifyReady(participant));
  socket.on('error', () => socket.destroy());
  socket.on('close', markClosed);
  return { close };
}

const readyMessage = encodeMessage('Z', Buffer.from('I'));

/**
 * Whether the client caused the error. If so, only the connection of this client is closed. Any other error stops the
 * database.
 */
function isClientError(
  error: unknown,
): error is ProtocolViolation | SqlError | ResponseTooLargeError {
  return [ProtocolViolation, SqlError, ResponseTooLargeError].some((kind) => error instanceof kind);
}

function sqlStateOf(error: unknown): string {
  if (error instanceof ProtocolViolation || error instanceof SqlError) return error.code;
  return error instanceof ResponseTooLargeError ? '54000' : 'XX000';
}
