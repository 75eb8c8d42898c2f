-- What an organization uses on each day, UTC. The days of a month add up to its row in usage_periods: both change in
-- one statement, that row always first, so that two statements never wait for one another.
create table grounded.usage_days (
  organization_id  uuid not null references grounded.organizations on delete cascade,
  day              date not null,
  messages         integer not null default 0,
  input_tokens     bigint not null default 0,
  output_tokens    bigint not null default 0,
  embedding_tokens bigint not null default 0,
  primary key (organization_id, day)
);
alter table grounded.usage_days enable row level security;

-- Bytes stored at the end of each day on which they changed, behind the row of storage_usage in the same way.
create table grounded.storage_days (
  organization_id uuid not null references grounded.organizations on delete cascade,
  day             date not null,
  used_bytes      bigint not null,
  primary key (organization_id, day)
);
alter table grounded.storage_days enable row level security;

insert into grounded.usage_days (organization_id, day, messages, input_tokens, output_tokens, embedding_tokens)
select project.organization_id, (message.created_at at time zone 'UTC')::date,
  count(*) filter (where message.status <> 'FAILED'), sum(message.input_tokens), sum(message.output_tokens),
  sum(message.embedding_tokens)
from grounded.messages message join grounded.projects project on project.id = message.project_id
where message.role = 'ASSISTANT'
group by 1, 2;

-- What was counted without its day, such as the tokens of searches, stands on the first day of its month.
insert into grounded.usage_days as day (organization_id, day, messages, input_tokens, output_tokens, embedding_tokens)
select period.organization_id, period.starts_on, period.messages - coalesce(sum(known.messages), 0),
  period.input_tokens - coalesce(sum(known.input_tokens), 0),
  period.output_tokens - coalesce(sum(known.output_tokens), 0),
  period.embedding_tokens - coalesce(sum(known.embedding_tokens), 0)
from grounded.usage_periods period left join grounded.usage_days known
  on known.organization_id = period.organization_id and date_trunc('month', known.day)::date = period.starts_on
group by period.organization_id, period.starts_on
on conflict (organization_id, day) do update set messages = day.messages + excluded.messages,
  input_tokens = day.input_tokens + excluded.input_tokens,
  output_tokens = day.output_tokens + excluded.output_tokens,
  embedding_tokens = day.embedding_tokens + excluded.embedding_tokens;

insert into grounded.storage_days (organization_id, day, used_bytes)
select organization_id, (now() at time zone 'UTC')::date, used_bytes from grounded.storage_usage;
