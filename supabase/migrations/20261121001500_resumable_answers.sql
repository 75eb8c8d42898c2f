-- Answers that outlive their reader's connection, and stopping one from any node.

-- The process that generates an answer renews `alive_at`; one that died leaves it behind.
alter table grounded.messages
  add column is_resumable boolean not null default false,
  add column stop_requested_at timestamptz(3),
  add column alive_at timestamptz(3);
update grounded.messages set alive_at = updated_at where status = 'GENERATING';
drop index grounded.messages_generating;
create index messages_generating on grounded.messages (alive_at) where status = 'GENERATING';

-- The events of a resumable answer as they were sent, until some minutes after its end.
create table grounded.answer_events (
  message_id uuid not null references grounded.messages on delete cascade,
  seq        integer not null check (seq >= 0),
  event      jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (message_id, seq)
);
alter table grounded.answer_events enable row level security;
create index answer_events_age on grounded.answer_events (created_at);
