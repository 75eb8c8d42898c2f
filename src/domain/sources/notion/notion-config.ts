import { integerProblems, requireNoProblems, type SourceConfigInput } from '../source-config.ts';
import { notionId } from './notion-values.ts';

/**
 * Configuration of a source of the kind `NOTION`. A type alias, because Prisma's JSON type does not accept interfaces.
 */
export type NotionConfig = {
  /**
   * Ids of the pages and databases to read. All pages below them are also read. Empty: everything that is shared with
   * the integration.
   */
  readonly roots: string[];
  readonly maxFiles: number;
};

export const notionFields = ['roots', 'maxFiles', 'token'] as const;

const maxRoots = 50;
const maxRootLength = 2_048;

/** See `Connector.requireValidConfig`. */
export function requireValidNotionConfig(
  input: SourceConfigInput,
  current: Partial<NotionConfig>,
): NotionConfig {
  const given = input.roots ?? current.roots ?? [];
  const ids = given.map((root) => (root.length > maxRootLength ? null : notionId(root)));
  const maxFiles = input.maxFiles ?? current.maxFiles ?? 1_000;
  requireNoProblems([
    ...(given.length > maxRoots ? [`config.roots must have at most ${maxRoots} entries`] : []),
    ...(ids.includes(null)
      ? ['config.roots entries must be ids or links of pages or databases in Notion']
      : []),
    ...integerProblems('config.maxFiles', maxFiles, 1, 10_000),
  ]);
  return { roots: [...new Set(ids.filter((id) => id !== null))], maxFiles };
}
