-- Sources that documents are read from and kept equal to.
create type grounded.source_kind as enum ('WEBSITE');

-- `deleted_at`: no caller sees the source any more, and a job deletes its documents and then the row.
create table grounded.sources (
  id          uuid primary key,
  project_id  uuid not null references grounded.projects on delete cascade,
  kind        grounded.source_kind not null,
  name        text not null,
  config      jsonb not null,
  schedule    text,
  is_paused   boolean not null default false,
  next_run_at timestamptz(3),
  deleted_at  timestamptz(3),
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now()
);
alter table grounded.sources enable row level security;
create index sources_project on grounded.sources (project_id, id);
create index sources_due on grounded.sources (next_run_at) where next_run_at is not null;

-- `attempt` counts the processes that have worked on the run. Only the latest may write.
-- `refusals` lists the first pages that were refused, each with its reason.
create table grounded.source_runs (
  id          uuid primary key,
  source_id   uuid not null references grounded.sources on delete cascade,
  project_id  uuid not null references grounded.projects on delete cascade,
  attempt     integer not null default 0,
  started_at  timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  fetched     integer not null default 0,
  added       integer not null default 0,
  changed     integer not null default 0,
  removed     integer not null default 0,
  unchanged   integer not null default 0,
  refused     integer not null default 0,
  refusals    jsonb not null default '[]',
  error       text
);
alter table grounded.source_runs enable row level security;
create index source_runs_source on grounded.source_runs (source_id, id);
create unique index source_runs_unfinished on grounded.source_runs (source_id) where finished_at is null;

-- What is known of each page: `run_id` is the last run that has read it or kept it. `links` are followed if the page has
-- not changed or cannot be read. `external_id` names its document, if it has one.
create table grounded.source_pages (
  source_id     uuid not null references grounded.sources on delete cascade,
  url           text not null,
  project_id    uuid not null references grounded.projects on delete cascade,
  run_id        uuid not null,
  external_id   text,
  etag          text,
  last_modified text,
  links         text[] not null default '{}',
  primary key (source_id, url)
);
alter table grounded.source_pages enable row level security;
create index source_pages_project on grounded.source_pages (project_id);

do $do$
declare
  name text;
begin
  foreach name in array array['sources', 'source_runs', 'source_pages'] loop
    execute format($$create policy tenant on grounded.%I to grounded_service
      using ((select current_setting('grounded.tenant', true)) = 'system'
        or project_id = any ((select grounded.tenant_projects())::uuid[]))$$, name);
  end loop;
end $do$;
