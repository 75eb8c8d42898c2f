import { cString, type Frame, frame, simpleQuery } from './frames.ts';
import { hasFailed, type Reply, readReply, type TransactionStatus } from './reply.ts';
import { replaceSessionCommand } from './session-commands.ts';
import { mayChangeSettings, type Settings, withDefaults } from './session-settings.ts';
import type { SharedSession } from './shared-session.ts';
import { createStatementNames } from './statement-names.ts';

/** What looks to one client like a session of its own. */
export type ClientSession = {
  /** Whether nobody else may use the shared session now. */
  isOpen(): boolean;
  /** Puts the settings of the start-up packet in force. Rejects with SqlError if one is wrong. */
  start(settings: Settings): Promise<void>;
  /** Runs one unit: messages up to and including a Query, Sync or Flush. */
  run(unit: readonly Frame[]): Promise<Reply>;
  /** Rolls back and gives up all that the client left behind. */
  end(): Promise<void>;
};

export function createClientSession(
  id: number,
  shared: SharedSession,
  deliver: (notification: Buffer) => void,
): ClientSession {
  const names = createStatementNames(id);
  const listener = shared.channels.join(deliver);
  let defaults: Settings = new Map();
  let settings: Settings = new Map();
  let settingsMayDiffer = false;
  let status: TransactionStatus = 'I';
  let isMidUnit = false;
  let mayCopy = false;
  const isOpen = () => isMidUnit || status !== 'I';

  const prepare = async (unit: readonly Frame[]): Promise<Buffer[]> => {
    const messages: Buffer[] = [];
    for (const message of unit) {
      const replaced = isMidUnit ? undefined : replaceSessionCommand(message, status);
      if (replaced) await shared.runMessages(names.closeAll());
      if (replaced?.command === 'DISCARD ALL') listener.unlistenAll();
      messages.push(names.rename(replaced ? { ...message, bytes: replaced.message } : message));
      mayCopy ||= mentionsCopy(message);
      if (mayCopy && (message.type === 'E' || message.type === 'Q')) messages.push(COPY_FAIL);
    }
    return messages;
  };

  return {
    isOpen,
    async start(wanted) {
      await shared.settings.switchTo(wanted);
      defaults = wanted;
      settings = wanted;
    },
    async run(unit) {
      if (!isOpen()) await shared.settings.switchTo(settings);
      const messages = await prepare(unit);
      const preamble = shared.unnamed.enter(id, unit);
      listener.expect(unit);
      isMidUnit = true; // unknown until the answer is there
      const bytes = Buffer.concat(preamble ? [preamble.message, ...messages] : messages);
      const reply = readReply(await shared.execute(bytes), preamble?.swallow);
      if (hasFailed(reply)) shared.unnamed.lost();
      names.settle(hasFailed(reply));
      listener.settle(reply);
      if (mayChangeSettings(unit, reply)) {
        settingsMayDiffer = true;
        shared.settings.note(unit);
      }
      isMidUnit = reply.status === undefined;
      status = reply.status ?? status;
      if (!isOpen()) {
        if (settingsMayDiffer) settings = withDefaults(await shared.settings.learn(), defaults);
        settingsMayDiffer = false;
        await shared.repairChannels();
      }
      return reply;
    },
    async end() {
      // The first ROLLBACK is passed over when an error waits for its Sync, the second then is not.
      if (isOpen()) await shared.execute(Buffer.concat([ROLLBACK, SYNC, ROLLBACK]));
      await shared.runMessages(names.closeAll());
      listener.leave();
      shared.unnamed.forget(id);
      await shared.repairChannels();
    },
  };
}

const ROLLBACK = simpleQuery('ROLLBACK');
const SYNC = frame('S');

/** Ignored outside COPY FROM STDIN, which it ends: the session would wait for data for ever. */
const COPY_FAIL = frame('f', cString('COPY FROM STDIN is not supported by the embedded database'));

function mentionsCopy({ type, bytes }: Frame): boolean {
  return (type === 'Q' || type === 'P') && /copy/i.test(bytes.toString('latin1'));
}
