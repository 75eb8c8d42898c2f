import { z } from 'zod';

/** What triggers send to the nodes, and what a node sends to itself to hear whether hints arrive. */
export type Hint = z.infer<typeof hintSchema>;

const hintSchema = z.union([
  z.object({ topic: z.literal('beat'), node: z.string() }),
  z.object({
    topic: z.enum(['inbox', 'conversations', 'documents']),
    projectId: z.string(),
    id: z.string(),
    /** Of hints that come by Realtime. */
    number: z.number().optional(),
  }),
]);

/** Null for what newer code may have sent. */
export function readHint(payload: unknown): Hint | null {
  return hintSchema.safeParse(payload).data ?? null;
}
