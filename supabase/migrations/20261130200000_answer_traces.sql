-- Why an answer of the assistant is what it is: its search, decision and model calls. One row for each answer, so the
-- allowance of messages bounds the rows. `trace` is compressed JSON: src/domain/chat/traces/trace-format.ts.

create table grounded.answer_traces (
  -- An answer that is generated again gets a new id.
  message_id uuid primary key references grounded.messages on delete cascade on update cascade,
  project_id uuid not null references grounded.projects on delete cascade,
  trace      bytea not null,
  constraint answer_traces_size check (octet_length(trace) <= 32768)
);
alter table grounded.answer_traces enable row level security;
-- For the deletion of a project.
create index answer_traces_project on grounded.answer_traces (project_id);
create policy tenant on grounded.answer_traces to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));
