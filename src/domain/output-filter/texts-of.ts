import type { Source } from '../../models/models.ts';

/** Returns the texts of the sources. An answer may contain the addresses in these texts. */
export function textsOf(sources: readonly Source[]): string[] {
  return sources.map(({ documentName, content }) => `${documentName}\n${content}`);
}
