import { z } from 'zod';

/** Payload of a change notification. It names the row of an observed table that was inserted or updated. */
export type ChangeNotification = z.infer<typeof changeNotificationSchema>;

const changeNotificationSchema = z.object({
  topic: z.enum(['inbox', 'conversations', 'documents']),
  projectId: z.string(),
  id: z.string(),
});

/** Payload of an access notification. It names the principal that may have lost access. */
const accessNotificationSchema = z.object({ topic: z.literal('access'), principal: z.string() });

/**
 * Payload of an activity notification: a person is active in a conversation. It never contains text that the person
 * types. The lengths are limited, because every process stores the payload.
 */
const activityNotificationSchema = z.object({
  topic: z.literal('activity'),
  projectId: z.string().max(36),
  conversationId: z.string().max(36),
  stream: z.string().max(64),
  type: z.enum(['TYPING', 'VIEWING']),
  actor: z.string().max(500).nullable(),
  isOwner: z.boolean(),
  lifetimeMs: z.number().min(0).max(60_000),
});

const notificationSchema = z.union([
  changeNotificationSchema,
  accessNotificationSchema,
  activityNotificationSchema,
]);

type Notification = z.infer<typeof notificationSchema>;

/** Parses the payload of a notification. Returns null if this version of the service does not know the format. */
export function parseNotification(payload: string): Notification | null {
  return notificationSchema.safeParse(parseJson(payload)).data ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
