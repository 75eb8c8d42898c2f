import type { Source } from '../../models/models.ts';

/** Returns the texts of the sources, whose addresses an answer may contain. */
export function textsOf(sources: readonly Source[]): string[] {
  return sources.map(({ documentName, content }) => `${documentName}\n${content}`);
}
