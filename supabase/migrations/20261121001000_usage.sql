-- What an organization uses, in counters that change in the transaction of what they count.

-- `messages` is reserved before an answer begins and given back when it fails. A period is a calendar month, UTC.
create table grounded.usage_periods (
  organization_id  uuid not null references grounded.organizations on delete cascade,
  starts_on        date not null,
  messages         integer not null default 0 check (messages >= 0),
  input_tokens     bigint not null default 0,
  output_tokens    bigint not null default 0,
  embedding_tokens bigint not null default 0,
  primary key (organization_id, starts_on)
);
alter table grounded.usage_periods enable row level security;

create table grounded.storage_usage (
  organization_id uuid primary key references grounded.organizations on delete cascade,
  used_bytes      bigint not null default 0 check (used_bytes >= 0)
);
alter table grounded.storage_usage enable row level security;

-- Tokens of the search for the answer's grounds.
alter table grounded.messages add column embedding_tokens integer not null default 0;

insert into grounded.usage_periods (organization_id, starts_on, messages, input_tokens, output_tokens)
select project.organization_id, date_trunc('month', message.created_at at time zone 'UTC')::date,
  count(*) filter (where message.status <> 'FAILED'), sum(message.input_tokens), sum(message.output_tokens)
from grounded.messages message join grounded.projects project on project.id = message.project_id
where message.role = 'ASSISTANT'
group by 1, 2;

insert into grounded.storage_usage (organization_id, used_bytes)
select project.organization_id, sum(document.size_bytes)
from grounded.documents document join grounded.projects project on project.id = document.project_id
group by 1;
