-- Changes of the agent who owns a conversation, for the transcript that agents read. Inbox events are deleted after a
-- while and do not name the agent who made the change.
create type grounded.conversation_event_type as enum
  ('CLAIMED', 'TAKEN_OVER', 'ASSIGNED', 'TRANSFERRED', 'RELEASED', 'RESOLVED', 'RETURNED');

create table grounded.conversation_events (
  id              uuid primary key,
  project_id      uuid not null references grounded.projects on delete cascade,
  conversation_id uuid not null references grounded.conversations on delete cascade,
  type            grounded.conversation_event_type not null,
  actor           text not null,
  previous_agent  text,
  agent           text,
  created_at      timestamptz(3) not null default now()
);
alter table grounded.conversation_events enable row level security;
create index conversation_events_conversation on grounded.conversation_events (conversation_id, created_at, id);
create index conversation_events_project on grounded.conversation_events (project_id);
create policy tenant on grounded.conversation_events to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));
