-- What the team has decided about unanswered questions. A decision names the message whose wording represents all
-- questions with the same meaning, so that it holds for later ones, and is erased with the message.
create type grounded.question_status as enum ('OPEN', 'DONE', 'DISMISSED');
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
