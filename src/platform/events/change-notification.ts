import { z } from 'zod';

/** Payload of a change notification: the row of an observed table that was inserted or updated. */
export type ChangeNotification = z.infer<typeof changeNotificationSchema>;

const changeNotificationSchema = z.object({
  topic: z.enum(['inbox', 'conversations', 'documents']),
  projectId: z.string(),
  id: z.string(),
});

/** Parses the payload of a notification. Returns null if this version does not know the format of the payload. */
export function parseChangeNotification(payload: string): ChangeNotification | null {
  return changeNotificationSchema.safeParse(parseJson(payload)).data ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
