-- Why an answer of an evaluation run is what it is, as `answer_traces`. At most one row for each result, and deleted
-- with it.

create table grounded.evaluation_traces (
  run_id     uuid not null,
  position   integer not null,
  project_id uuid not null references grounded.projects on delete cascade,
  trace      bytea not null,
  primary key (run_id, position),
  foreign key (run_id, position) references grounded.evaluation_results (run_id, position) on delete cascade,
  constraint evaluation_traces_size check (octet_length(trace) <= 32768)
);
alter table grounded.evaluation_traces enable row level security;
-- For the deletion of a project.
create index evaluation_traces_project on grounded.evaluation_traces (project_id);
create policy tenant on grounded.evaluation_traces to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));
