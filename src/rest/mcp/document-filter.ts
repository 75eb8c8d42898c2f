import { z } from 'zod';

/** The input `filter` of a tool. */
export const documentFilter = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'Only documents that match, such as {"tags": {"in": ["hr"]}, "metadata.year": {"gte": 2024}}. Fields: tags, name, externalId, sourceUrl, sourceId, createdAt, metadata.<key>. Operators: eq, ne, in, nin, gt, gte, lt, lte, exists. Also and, or (lists of filters) and not',
  );

/** Properties that the customer has set on the document that the passage belongs to. */
export const documentLink = {
  sourceUrl: z.string().nullable().describe('Address of the document for readers'),
  metadata: z.record(z.string(), z.unknown()).describe('Metadata of the document'),
};
