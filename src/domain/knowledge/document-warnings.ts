import type { ExtractWarning } from '../../extract/extracted-text.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';

/** Returns the warnings that the ingestion of a document has stored. */
export function storedWarnings(warnings: Prisma.JsonValue): readonly ExtractWarning[] {
  return warnings as unknown as readonly ExtractWarning[];
}
