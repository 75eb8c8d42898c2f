import { hasFailed, readReply, type ServerReply, type TransactionStatus } from './reply.ts';
import { replaceSessionCommand } from './session-commands.ts';
import { mayChangeSettings, type Settings, withStartupSettings } from './session-settings.ts';
import type { SharedSession } from './shared-session.ts';
import { createStatementNames } from './statement-names.ts';
import { cString, encodeMessage, simpleQuery, type WireMessage } from './wire-messages.ts';

/** One client's access to the Postgres session that all clients share. The client sees it as a private session. */
export interface ClientSession {
  /** Whether other clients must wait, because this client is in a transaction or has sent only part of a batch. */
  isHoldingSession(): boolean;
  /**
   * Applies the settings of the start-up packet.
   * @throws SqlError when a setting is invalid.
   */
  start(settings: Settings): Promise<void>;
  /** Runs one batch: all messages up to and including the next Query, Sync or Flush. Returns the response. */
  run(batch: readonly WireMessage[]): Promise<ServerReply>;
  /** Rolls back an open transaction and releases the client's prepared statements and channels. */
  close(): Promise<void>;
}

export function createClientSession(
  id: number,
  shared: SharedSession,
  deliver: (notification: Buffer) => void,
): ClientSession {
  const names = createStatementNames(id);
  const listener = shared.channels.addListener(deliver);
  let defaults: Settings = new Map();
  let settings: Settings = new Map();
  let settingsMayDiffer = false;
  let status: TransactionStatus = 'I';
  let isMidBatch = false;
  let mayContainCopy = false;
  const isHoldingSession = () => isMidBatch || status !== 'I';

  const rewriteMessages = async (batch: readonly WireMessage[]): Promise<Buffer[]> => {
    const messages: Buffer[] = [];
    for (const message of batch) {
      const replaced = isMidBatch ? undefined : replaceSessionCommand(message, status);
      if (replaced) await shared.runMessages(names.closeAll());
      if (replaced?.command === 'DISCARD ALL') listener.unlistenAll();
      messages.push(names.rename(replaced ? { ...message, bytes: replaced.message } : message));
      mayContainCopy ||= mentionsCopy(message);
      if (mayContainCopy && (message.type === 'E' || message.type === 'Q'))
        messages.push(copyFailMessage);
    }
    return messages;
  };

  return {
    isHoldingSession,
    async start(wanted) {
      await shared.settings.switchTo(wanted);
      defaults = wanted;
      settings = wanted;
    },
    async run(batch) {
      if (!isHoldingSession()) await shared.settings.switchTo(settings);
      const messages = await rewriteMessages(batch);
      const preamble = shared.unnamedStatements.beforeRun(id, batch);
      listener.beforeRun(batch);
      isMidBatch = true; // until the reply contains ReadyForQuery
      const bytes = Buffer.concat(preamble ? [preamble.message, ...messages] : messages);
      const reply = readReply(await shared.execute(bytes), preamble?.suppressedType);
      if (hasFailed(reply)) shared.unnamedStatements.invalidate();
      names.afterRun(hasFailed(reply));
      listener.afterRun(reply);
      if (mayChangeSettings(batch, reply)) {
        settingsMayDiffer = true;
        shared.settings.recordCustomNames(batch);
      }
      isMidBatch = reply.transactionStatus === undefined;
      status = reply.transactionStatus ?? status;
      if (!isHoldingSession()) {
        if (settingsMayDiffer)
          settings = withStartupSettings(await shared.settings.readCurrent(), defaults);
        settingsMayDiffer = false;
        await shared.reconcileChannels();
      }
      return reply;
    },
    async close() {
      // After an error, Postgres skips all messages until a Sync. So the first ROLLBACK may be skipped, but the second
      // one runs.
      if (isHoldingSession())
        await shared.execute(Buffer.concat([rollbackMessage, syncMessage, rollbackMessage]));
      await shared.runMessages(names.closeAll());
      listener.remove();
      shared.unnamedStatements.forget(id);
      await shared.reconcileChannels();
    },
  };
}

const rollbackMessage = simpleQuery('ROLLBACK');
const syncMessage = encodeMessage('S');

/**
 * Aborts COPY FROM STDIN, which would otherwise wait for data forever. Postgres ignores this message at any other time.
 */
const copyFailMessage = encodeMessage(
  'f',
  cString('COPY FROM STDIN is not supported by the embedded database'),
);

function mentionsCopy({ type, bytes }: WireMessage): boolean {
  return (type === 'Q' || type === 'P') && /copy/i.test(bytes.toString('latin1'));
}
