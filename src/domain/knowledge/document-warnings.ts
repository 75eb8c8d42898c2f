import type { ExtractWarning } from '../../extract/extracted-text.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';

/** Returns the warnings of a document, as its ingestion has stored them. */
export function storedWarnings(warnings: Prisma.JsonValue): readonly ExtractWarning[] {
  return warnings as unknown as readonly ExtractWarning[];
}
