import { counted } from '../../../text/counted.ts';
import type { NotionBlock } from './notion-blocks.ts';

const fileTypes: ReadonlySet<string> = new Set(['file', 'pdf']);

/**
 * Returns which parts of a page are missing in its text, or null if no part is missing. Pictures, videos and recordings
 * do not count.
 */
export function leftOutOf(blocks: readonly NotionBlock[]): string | null {
  const count = { unreadable: 0, files: 0 };
  countLeftOut(blocks, count);
  const reasons = [
    count.unreadable > 0 &&
      `${counted(count.unreadable, 'block')} that Notion does not send to integrations, or not to this one`,
    count.files > 0 && `the content of ${counted(count.files, 'attached file')}`,
  ].filter((reason) => reason !== false);
  return reasons.length === 0 ? null : `Left out: ${reasons.join(', and ')}`;
}

function countLeftOut(
  blocks: readonly NotionBlock[],
  count: { unreadable: number; files: number },
): void {
  for (const { type, children, isUnreadable } of blocks) {
    if (isUnreadable) count.unreadable += 1;
    if (fileTypes.has(type)) count.files += 1;
    countLeftOut(children, count);
  }
}
