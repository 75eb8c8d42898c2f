-- How sure and how quick the assistant's completed answers of each day, UTC, were: one row for those that took about as
-- long. A step is the logarithm of the milliseconds to the base 1.1, rounded: it says how long within 5 percent.
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

insert into grounded.answer_days (organization_id, day, latency_step, answers, unsure)
select project.organization_id, (message.created_at at time zone 'UTC')::date,
  round(ln(greatest(message.latency_ms, 1)) / ln(1.1))::smallint, count(*), count(*) filter (where message.confidence < 0.3)
from grounded.messages message join grounded.projects project on project.id = message.project_id
where message.role = 'ASSISTANT' and message.status = 'COMPLETED' and message.latency_ms is not null
group by 1, 2, 3;
