-- Sources that documents are read from and kept equal to.

create type grounded.source_kind as enum ('WEBSITE', 'GIT', 'S3', 'NOTION');

create table grounded.sources (
  id          uuid primary key,
  project_id  uuid not null references grounded.projects on delete cascade,
  kind        grounded.source_kind not null,
  name        text not null,
  config      jsonb not null,
  schedule    text,
  is_paused   boolean not null default false,
  next_run_at timestamptz(3),
  -- No caller sees the source any more, and a job deletes its documents and then the row.
  deleted_at  timestamptz(3),
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  -- Encrypted access token or key of the source, with the id of the source as associated data.
  secret      text,
  -- A run that would delete a large part of a source keeps it until an operator confirms the deletion.
  confirms_removals boolean not null default true
);
alter table grounded.sources enable row level security;
create index sources_project on grounded.sources (project_id, id);
create index sources_due on grounded.sources (next_run_at) where next_run_at is not null;
create policy tenant on grounded.sources to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

create table grounded.source_runs (
  id          uuid primary key,
  source_id   uuid not null references grounded.sources on delete cascade,
  project_id  uuid not null references grounded.projects on delete cascade,
  -- Counts the processes that have worked on the run. Only the latest may write.
  attempt     integer not null default 0,
  started_at  timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  fetched     integer not null default 0,
  added       integer not null default 0,
  changed     integer not null default 0,
  removed     integer not null default 0,
  unchanged   integer not null default 0,
  refused     integer not null default 0,
  -- The first pages that were refused, each with its reason.
  refusals    jsonb not null default '[]',
  error       text,
  held_removals        integer not null default 0,
  is_removal_confirmed boolean not null default false,
  -- A process works on the run. If another one claims the run in the meantime, the first has died.
  is_worked_on         boolean not null default false,
  deaths               integer not null default 0,
  -- What the run has left out without an error: an array of objects with `url` and `reason`.
  warnings             jsonb not null default '[]'
);
alter table grounded.source_runs enable row level security;
create index source_runs_source on grounded.source_runs (source_id, id);
create unique index source_runs_unfinished on grounded.source_runs (source_id) where finished_at is null;
create policy tenant on grounded.source_runs to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

create table grounded.source_pages (
  source_id     uuid not null references grounded.sources on delete cascade,
  url           text not null,
  project_id    uuid not null references grounded.projects on delete cascade,
  -- The last run that has read the page or kept it.
  run_id        uuid not null,
  -- Names the document of the page, if it has one.
  external_id   text,
  etag          text,
  last_modified text,
  -- Followed if the page has not changed or cannot be read.
  links         text[] not null default '{}',
  -- Why the current version of a file is no document. It is not read again until it changes.
  refusal       text,
  -- The address and links count as stored bytes of the organization.
  size_bytes    integer not null default 0,
  -- What the document lacks: messages, or for websites the hosts that it links to and that the source does not read.
  left_out      text[] not null default '{}',
  primary key (source_id, url)
);
alter table grounded.source_pages enable row level security;
create index source_pages_project on grounded.source_pages (project_id);
create policy tenant on grounded.source_pages to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));
