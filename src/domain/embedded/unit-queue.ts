import { type Frame, ProtocolViolation } from './frames.ts';

/** A client's messages, gathered into units that are run in one go. */
export type UnitQueue = {
  add(message: Frame): void;
  next(): Frame[] | undefined;
  /** Complete units that wait. */
  length(): number;
  queuedBytes(): number;
  clear(): void;
};

/** @throws ProtocolViolation from `add` for unknown messages and endless units. */
export function createUnitQueue(maxUnitBytes: number): UnitQueue {
  let units: { messages: Frame[]; bytes: number }[] = [];
  let unit: Frame[] = [];
  let unitBytes = 0;
  let queuedBytes = 0;

  return {
    add(message) {
      if (COPY_DATA.has(message.type)) return;
      if (!RUNNABLE.has(message.type)) {
        throw new ProtocolViolation('08P01', `invalid frontend message type ${message.type}`);
      }
      unit.push(message);
      unitBytes += message.bytes.length + FRAME_OVERHEAD_BYTES;
      if (unitBytes > maxUnitBytes) {
        throw new ProtocolViolation('54000', `more than ${maxUnitBytes} bytes without a Sync`);
      }
      if (!ENDS_UNIT.has(message.type)) return;
      units.push({ messages: unit, bytes: unitBytes });
      queuedBytes += unitBytes;
      unit = [];
      unitBytes = 0;
    },
    next() {
      const first = units.shift();
      queuedBytes -= first?.bytes ?? 0;
      return first?.messages;
    },
    length: () => units.length,
    queuedBytes: () => queuedBytes,
    clear() {
      units = [];
      queuedBytes = 0;
    },
  };
}

/** Query, Parse, Bind, Describe, Execute, Close, Sync, Flush: anything else may end the session. */
const RUNNABLE = new Set('QPBDECSH');
const ENDS_UNIT = new Set('QSH');
/** CopyData, CopyDone, CopyFail: what follows a COPY FROM STDIN that was refused. */
const COPY_DATA = new Set('dcf');
/** Rough cost of keeping a message, so that many tiny ones are bounded too. */
const FRAME_OVERHEAD_BYTES = 100;
