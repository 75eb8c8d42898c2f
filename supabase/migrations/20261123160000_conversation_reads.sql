-- The last message that each agent has read in a conversation. `reader` is a name as in `handoffs.claimed_by`.
create table grounded.conversation_reads (
  project_id      uuid not null references grounded.projects on delete cascade,
  conversation_id uuid not null references grounded.conversations on delete cascade,
  reader          text not null,
  position        integer not null,
  primary key (conversation_id, reader)
);
alter table grounded.conversation_reads enable row level security;
create index conversation_reads_project on grounded.conversation_reads (project_id);
create policy tenant on grounded.conversation_reads to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- Lists and counts of one status, in both orders.
create index handoffs_status on grounded.handoffs (project_id, status, requested_at, id);
