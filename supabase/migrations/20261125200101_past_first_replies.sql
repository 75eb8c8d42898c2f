-- The clocks of handoffs from before. In a migration of its own, so that no exclusive lock lasts as long as these.
update grounded.handoffs handoff set first_reply_at = reply.first_at
from (
  select asked.id, min(message.created_at) as first_at
  from grounded.handoffs asked join grounded.messages message using (conversation_id)
  where message.role = 'AGENT' and message.created_at >= asked.requested_at
    and (asked.resolved_at is null or message.created_at <= asked.resolved_at)
  group by asked.id
) reply
where reply.id = handoff.id;

-- An agent who takes over a conversation claims the handoff in the transaction that creates it.
update grounded.handoffs handoff set is_requested = false
from (
  select event.handoff_id, min(event.created_at) as claimed_at
  from grounded.inbox_events event
  group by event.handoff_id
  having bool_or(event.type = 'CLAIMED') and not bool_or(event.type = 'REQUESTED')
) taken
where taken.handoff_id = handoff.id and taken.claimed_at <= handoff.requested_at + interval '1 second';
