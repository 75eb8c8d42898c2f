import { z } from 'zod';

/** Payload of a change notification: the row of an observed table that was inserted or updated. */
export type ChangeNotification = z.infer<typeof changeNotificationSchema>;

/** Payload of an access notification: the principal that may have lost access. */
export type AccessNotification = z.infer<typeof accessNotificationSchema>;

const changeNotificationSchema = z.object({
  topic: z.enum(['inbox', 'conversations', 'documents']),
  projectId: z.string(),
  id: z.string(),
});

const accessNotificationSchema = z.object({ topic: z.literal('access'), principal: z.string() });

const notificationSchema = z.union([changeNotificationSchema, accessNotificationSchema]);

/** Parses the payload of a notification. Returns null if this version does not know the format of the payload. */
export function parseNotification(payload: string): ChangeNotification | AccessNotification | null {
  return notificationSchema.safeParse(parseJson(payload)).data ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
