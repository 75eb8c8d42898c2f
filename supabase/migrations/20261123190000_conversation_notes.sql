-- Internal notes of the team on a conversation. In a table of their own, because everything that end users, models and
-- webhooks receive is read from `messages`.
create table grounded.conversation_notes (
  id              uuid primary key,
  project_id      uuid not null references grounded.projects on delete cascade,
  conversation_id uuid not null references grounded.conversations on delete cascade,
  author          text not null,
  content         text not null,
  created_at      timestamptz(3) not null default now()
);
alter table grounded.conversation_notes enable row level security;
create index conversation_notes_conversation on grounded.conversation_notes (conversation_id, created_at, id);
create index conversation_notes_project on grounded.conversation_notes (project_id);
create policy tenant on grounded.conversation_notes to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));
