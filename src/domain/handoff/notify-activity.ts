/**
 * Returns an SQL expression that signals an activity (`ActivitySignal`) to every process. Parameters: the ids of the
 * project `$1` and the conversation `$2`, the actor `$3` (null: the end user), the type `$4`, the stream `$5`, and the
 * milliseconds until it ends `$6`.
 *
 * @param isOwner SQL condition: whether the actor owns the conversation.
 */
export function notifyActivitySql({ isOwner }: { readonly isOwner: string }): string {
  // The cast is for Prisma, which cannot read the type void.
  return `
    pg_notify('grounded_events', json_build_object(
      'topic', 'activity', 'projectId', $1::text, 'conversationId', $2::text, 'actor', $3::text,
      'type', $4::text, 'stream', $5::text, 'lifetimeMs', $6::integer, 'isOwner', ${isOwner}
    )::text)::text as sent`;
}
