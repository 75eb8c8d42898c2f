/**
 * Returns an SQL expression that sends an activity (`ActivitySignal`) to every process. Parameters: $1 id of the
 * project, $2 id of the conversation, $3 actor (null: the end user), $4 type, $5 stream, $6 milliseconds until the
 * activity ends.
 *
 * @param isOwner SQL condition that is true if the actor owns the conversation.
 */
export function notifyActivitySql({ isOwner }: { readonly isOwner: string }): string {
  // The cast is necessary because Prisma cannot read the type void.
  return `
    pg_notify('grounded_events', json_build_object(
      'topic', 'activity', 'projectId', $1::text, 'conversationId', $2::text, 'actor', $3::text,
      'type', $4::text, 'stream', $5::text, 'lifetimeMs', $6::integer, 'isOwner', ${isOwner}
    )::text)::text as sent`;
}
