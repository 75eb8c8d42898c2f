-- Texts that agents insert into their replies. A name is unique in its project, whatever its case.
create table grounded.saved_replies (
  id         uuid primary key,
  project_id uuid not null references grounded.projects on delete cascade,
  name       text not null,
  content    text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
alter table grounded.saved_replies enable row level security;
create unique index saved_replies_name on grounded.saved_replies (project_id, lower(name));
create policy tenant on grounded.saved_replies to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));
