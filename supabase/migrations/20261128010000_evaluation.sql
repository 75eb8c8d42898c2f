-- Question sets of a project, and runs that ask them and judge the answers.

alter type grounded.api_key_scope add value if not exists 'EVALUATION_READ';
alter type grounded.api_key_scope add value if not exists 'EVALUATION_WRITE';

create table grounded.question_sets (
  id             uuid primary key,
  project_id     uuid not null references grounded.projects on delete cascade,
  name           text not null,
  -- Counts up with each change of the questions. A run names the version that it asks.
  version        integer not null default 1,
  question_count integer not null default 0,
  created_at     timestamptz(3) not null default now(),
  updated_at     timestamptz(3) not null default now()
);
alter table grounded.question_sets enable row level security;
create index question_sets_project on grounded.question_sets (project_id, id);
create policy tenant on grounded.question_sets to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- The questions of the current version.
create table grounded.set_questions (
  id            uuid primary key,
  set_id        uuid not null references grounded.question_sets on delete cascade,
  project_id    uuid not null references grounded.projects on delete cascade,
  -- Order in the set, from 1.
  position      integer not null,
  question      text not null,
  -- Texts that the answer must contain: an array of arrays, of each of which one text is enough.
  expected      jsonb not null default '[]',
  -- The document that answers the question. It may be deleted later. Without an id, documents with the name count.
  document_id   uuid,
  document_name text,
  must_refuse   boolean not null default false,
  tags          text[] not null default '{}',
  language      text,
  unique (set_id, position)
);
alter table grounded.set_questions enable row level security;
create index set_questions_project on grounded.set_questions (project_id);
create policy tenant on grounded.set_questions to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

create type grounded.evaluation_status as enum ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED');

create table grounded.evaluation_runs (
  id          uuid primary key,
  project_id  uuid not null references grounded.projects on delete cascade,
  set_id      uuid not null references grounded.question_sets on delete cascade,
  set_version integer not null,
  status      grounded.evaluation_status not null default 'QUEUED',
  -- Settings that differ from those of the project: see src/domain/evaluation/candidate.ts.
  candidate   jsonb not null default '{}',
  -- Number of questions, and of those that were asked.
  total       integer not null,
  done        integer not null default 0,
  -- Computed when the run is done: see src/domain/evaluation/figures.ts.
  figures     jsonb,
  -- Why the run has failed.
  error       text,
  created_at  timestamptz(3) not null default now(),
  started_at  timestamptz(3),
  finished_at timestamptz(3)
);
alter table grounded.evaluation_runs enable row level security;
create index evaluation_runs_set on grounded.evaluation_runs (set_id, id);
-- One run of a set at a time.
create unique index evaluation_runs_unfinished on grounded.evaluation_runs (set_id) where finished_at is null;
create index evaluation_runs_project on grounded.evaluation_runs (project_id, id);
create policy tenant on grounded.evaluation_runs to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- A question of a run as it was when the run was created, and what the assistant answered.
create table grounded.evaluation_results (
  run_id        uuid not null references grounded.evaluation_runs on delete cascade,
  position      integer not null,
  project_id    uuid not null references grounded.projects on delete cascade,
  question_id   uuid not null,
  question      text not null,
  expected      jsonb not null,
  document_id   uuid,
  document_name text,
  must_refuse   boolean not null,
  tags          text[] not null default '{}',
  language      text,
  -- Null until the question was asked.
  asked_at      timestamptz(3),
  answer        text,
  citations     jsonb not null default '[]',
  confidence    double precision,
  -- The judgement. Null where the question does not ask for it.
  is_document_missing  boolean not null default false,
  rank                 integer,
  first_citation_right boolean,
  contains_expected    boolean,
  refused              boolean,
  latency_ms    integer,
  input_tokens  integer not null default 0,
  output_tokens integer not null default 0,
  embedding_tokens integer not null default 0,
  -- Why there is no answer.
  error         text,
  primary key (run_id, position)
);
alter table grounded.evaluation_results enable row level security;
create index evaluation_results_project on grounded.evaluation_results (project_id);
create policy tenant on grounded.evaluation_results to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));
