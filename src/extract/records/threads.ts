import { isJsonObject } from '../../platform/is-json-object.ts';
import { isChatMessage } from './posts.ts';

interface Threaded {
  readonly value: unknown;
  /** The message to which this message replies. */
  readonly parent: unknown;
}

/** Returns the records with each reply of a thread after the message to which it replies. */
export function orderThreads(values: readonly unknown[]): Threaded[] {
  const starts = new Map<string, unknown>();
  const replies = new Map<string, unknown[]>();
  for (const value of values) {
    const { ts, thread } = threadOf(value);
    if (ts !== null && (thread === null || thread === ts)) starts.set(ts, value);
  }
  const isReply = (value: unknown): string | null => {
    const { ts, thread } = threadOf(value);
    return thread !== null && thread !== ts && starts.has(thread) ? thread : null;
  };
  for (const value of values) {
    const thread = isReply(value);
    if (thread === null) continue;
    const list = replies.get(thread) ?? [];
    list.push(value);
    replies.set(thread, list);
  }
  return values.flatMap((value) => {
    if (isReply(value) !== null) return [];
    const { ts } = threadOf(value);
    const own = ts === null || starts.get(ts) !== value ? [] : (replies.get(ts) ?? []);
    return [{ value, parent: null }, ...own.map((reply) => ({ value: reply, parent: value }))];
  });
}

function threadOf(value: unknown): { readonly ts: string | null; readonly thread: string | null } {
  if (!isJsonObject(value) || !isChatMessage(value)) return { ts: null, thread: null };
  const { ts, thread_ts: thread } = value;
  return {
    ts: typeof ts === 'string' ? ts : null,
    thread: typeof thread === 'string' ? thread : null,
  };
}
