-- The satisfaction of end users with an agent (CSAT). A row is the question; the answer is its `rating`. In a table of its
-- own, because everything that models receive is read from `conversations` and `messages`.
alter table grounded.projects add column asks_for_satisfaction boolean not null default false;

create table grounded.handoff_satisfaction (
  handoff_id uuid primary key references grounded.handoffs on delete cascade,
  project_id uuid not null references grounded.projects on delete cascade,
  -- Who resolved the handoff, as in `handoffs.claimed_by`.
  agent      text not null,
  rating     integer check (rating between 1 and 5),
  comment    text,
  asked_at   timestamptz(3) not null default now(),
  rated_at   timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  check ((rating is null) = (rated_at is null)),
  check (rating is not null or comment is null)
);
alter table grounded.handoff_satisfaction enable row level security;
-- Lists show the latest rating first. Figures count the questions of a range of days.
create index handoff_satisfaction_rated on grounded.handoff_satisfaction (project_id, rated_at desc, handoff_id desc)
  where rating is not null;
create index handoff_satisfaction_asked on grounded.handoff_satisfaction (project_id, asked_at);
create policy tenant on grounded.handoff_satisfaction to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));
