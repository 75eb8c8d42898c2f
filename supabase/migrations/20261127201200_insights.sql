-- How good the answers are: feedback of readers, decisions about unanswered questions, and figures by day.

create type grounded.feedback_rating as enum ('UP', 'DOWN');

-- One rating per answer. It is deleted with its message.
create table grounded.message_feedback (
  message_id uuid primary key references grounded.messages on delete cascade,
  project_id uuid not null references grounded.projects on delete cascade,
  rating     grounded.feedback_rating not null,
  comment    text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
alter table grounded.message_feedback enable row level security;
-- Unanswered questions are also found among these, the latest first.
create index message_feedback_down on grounded.message_feedback (project_id, updated_at desc) where rating = 'DOWN';
-- The effect of a threshold is computed from the latest ratings of a project.
create index message_feedback_latest on grounded.message_feedback (project_id, updated_at desc);
create policy tenant on grounded.message_feedback to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

create type grounded.question_status as enum ('OPEN', 'DONE', 'DISMISSED');

-- What the team has decided about unanswered questions. A decision names the message whose wording represents all
-- questions with the same meaning, so that it holds for later ones, and is erased with the message.
create table grounded.question_decisions (
  message_id  uuid primary key references grounded.messages on delete cascade,
  project_id  uuid not null references grounded.projects on delete cascade,
  -- Null if the question was merged with another one, and nothing was decided about it.
  status      grounded.question_status,
  -- The question whose decision this one shares. That one is not merged into another.
  merged_into uuid references grounded.question_decisions on delete set null,
  -- The document that answers the question.
  document_id uuid references grounded.documents on delete set null,
  decided_by  text,
  decided_at  timestamptz(3) not null default now()
);
alter table grounded.question_decisions enable row level security;
create index question_decisions_latest on grounded.question_decisions (project_id, decided_at desc);
create index question_decisions_merged on grounded.question_decisions (merged_into) where merged_into is not null;
create index question_decisions_document on grounded.question_decisions (document_id) where document_id is not null;
create policy tenant on grounded.question_decisions to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- Confidence and latency of the assistant's completed answers of each day, UTC: one row for answers of about the same
-- latency. A step is the logarithm of the milliseconds to the base 1.1, rounded, which is exact to 5 percent.
create table grounded.answer_days (
  organization_id uuid not null references grounded.organizations on delete cascade,
  day             date not null,
  latency_step    smallint not null,
  answers         integer not null,
  unsure          integer not null,
  primary key (organization_id, day, latency_step)
);
alter table grounded.answer_days enable row level security;
create policy tenant on grounded.answer_days to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or organization_id = any ((select grounded.tenant_organizations())::uuid[]));
