-- Conversations handed to people, and what an inbox is told of them.

create type grounded.handoff_status as enum ('REQUESTED', 'CLAIMED', 'RESOLVED');
create type grounded.inbox_event_type as enum ('REQUESTED', 'CLAIMED', 'RESOLVED', 'MESSAGE');

create table grounded.handoffs (
  id              uuid primary key,
  project_id      uuid not null references grounded.projects on delete cascade,
  conversation_id uuid not null references grounded.conversations on delete cascade,
  status          grounded.handoff_status not null default 'REQUESTED',
  email           text,
  name            text,
  reason          text,
  requested_at    timestamptz(3) not null default now(),
  claimed_at      timestamptz(3),
  claimed_by      text,
  resolved_at     timestamptz(3),
  updated_at      timestamptz(3) not null default now()
);
alter table grounded.handoffs enable row level security;
create unique index handoffs_open on grounded.handoffs (conversation_id) where status <> 'RESOLVED';
create index handoffs_conversation on grounded.handoffs (conversation_id, requested_at desc, id desc);
create index handoffs_project on grounded.handoffs (project_id, requested_at desc, id desc);

-- Numbers a project's inbox events: whoever writes one holds the project's row until the commit, so that the order of
-- positions is the order of commits and none is ever skipped.
alter table grounded.projects add column inbox_position bigint not null default 0;

create table grounded.inbox_events (
  project_id uuid not null references grounded.projects on delete cascade,
  position   bigint not null,
  type       grounded.inbox_event_type not null,
  handoff_id uuid not null references grounded.handoffs on delete cascade,
  message_id uuid references grounded.messages on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, position)
);
alter table grounded.inbox_events enable row level security;
create index inbox_events_handoff on grounded.inbox_events (handoff_id);
create index inbox_events_message on grounded.inbox_events (message_id);

-- What end users are told while they wait: said once per wait, and cleared by a person's reply.
alter table grounded.conversations add column holding_message_id uuid;
