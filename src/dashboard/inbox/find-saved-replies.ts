import type { SavedReply } from './saved-reply-operations.ts';

/** A `/` in a text, and the letters between it and the caret. */
export interface SlashCommand {
  /** Index of the `/`. */
  readonly index: number;
  readonly query: string;
}

const maxQueryLength = 40;

/** Returns the `/` at the start of the word before the caret, or null. */
export function findSlashCommand(text: string, caret: number): SlashCommand | null {
  const before = text.slice(Math.max(0, caret - maxQueryLength - 1), caret);
  const slash = before.lastIndexOf('/');
  const query = before.slice(slash + 1);
  if (slash < 0 || /\s/.test(query)) return null;
  const index = caret - query.length - 1;
  return isWordStart(text, index) ? { index, query } : null;
}

export function isWordStart(text: string, index: number): boolean {
  return index === 0 || /\s/.test(text.charAt(index - 1));
}

/**
 * Returns the replies whose names contain the query, ignoring case and spaces. Names that start with the query come
 * first.
 */
export function findSavedReplies(replies: readonly SavedReply[], query: string): SavedReply[] {
  const wanted = withoutSpaces(query);
  const found = replies.flatMap((reply) => {
    const index = withoutSpaces(reply.name).indexOf(wanted);
    return index < 0 ? [] : [{ reply, isStart: index === 0 }];
  });
  const [first, rest] = [found.filter((one) => one.isStart), found.filter((one) => !one.isStart)];
  return [...first, ...rest].map(({ reply }) => reply);
}

function withoutSpaces(text: string): string {
  return text.toLowerCase().replaceAll(/\s/g, '');
}

/** Names that replace `{{visitor}}` and `{{agent}}`. Null: unknown. */
export interface ReplyNames {
  readonly visitor: string | null;
  readonly agent: string | null;
}

/** Replaces the placeholders with the names. Without a name, removes the placeholder and the space before it. */
export function fillPlaceholders(content: string, { visitor, agent }: ReplyNames): string {
  return fill(fill(content, '{{agent}}', agent), '{{visitor}}', visitor);
}

function fill(content: string, placeholder: string, value: string | null): string {
  const name = value?.trim() ?? '';
  if (name !== '') return content.replaceAll(placeholder, () => name);
  return content.replaceAll(` ${placeholder}`, '').replaceAll(placeholder, '');
}
