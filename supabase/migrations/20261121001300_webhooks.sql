-- Who is told of what happens, what happened, and every message about it.

create type grounded.webhook_delivery_status as enum ('PENDING', 'DELIVERED', 'FAILED');

-- Secrets are needed in the clear to sign with. `previous_secret` signs too until it expires.
create table grounded.webhook_endpoints (
  id                         uuid primary key,
  project_id                 uuid not null references grounded.projects on delete cascade,
  url                        text not null,
  types                      text[] not null,
  secret                     text not null,
  previous_secret            text,
  previous_secret_expires_at timestamptz(3),
  disabled_at                timestamptz(3),
  disabled_reason            text,
  created_at                 timestamptz(3) not null default now(),
  updated_at                 timestamptz(3) not null default now()
);
alter table grounded.webhook_endpoints enable row level security;
create index webhook_endpoints_project on grounded.webhook_endpoints (project_id, id);

-- Written in the transaction of what happened. The id is the `webhook-id` of every message about it.
create table grounded.webhook_events (
  id          uuid primary key,
  project_id  uuid not null references grounded.projects on delete cascade,
  type        text not null,
  data        jsonb not null,
  occurred_at timestamptz(3) not null default now()
);
alter table grounded.webhook_events enable row level security;
create index webhook_events_project on grounded.webhook_events (project_id, id);

-- `attempts_before` were made before it was last sent again by hand: the schedule of tries began anew behind them.
-- Status and latency are those of the last try.
create table grounded.webhook_deliveries (
  id               uuid primary key,
  project_id       uuid not null references grounded.projects on delete cascade,
  event_id         uuid not null references grounded.webhook_events on delete cascade,
  endpoint_id      uuid not null references grounded.webhook_endpoints on delete cascade,
  status           grounded.webhook_delivery_status not null default 'PENDING',
  attempts         integer not null default 0,
  attempts_before  integer not null default 0,
  next_attempt_at  timestamptz(3),
  response_status  integer,
  latency_ms       integer,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now()
);
alter table grounded.webhook_deliveries enable row level security;
create index webhook_deliveries_project on grounded.webhook_deliveries (project_id, id);
create index webhook_deliveries_event on grounded.webhook_deliveries (event_id);
create index webhook_deliveries_endpoint on grounded.webhook_deliveries (endpoint_id, id);

-- The log of tries. Without an answer there is no status; `error` says why a try has failed.
create table grounded.webhook_attempts (
  delivery_id      uuid not null references grounded.webhook_deliveries on delete cascade,
  number           integer not null check (number > 0),
  sent_at          timestamptz(3) not null,
  latency_ms       integer not null,
  response_status  integer,
  response_excerpt text,
  error            text,
  primary key (delivery_id, number)
);
alter table grounded.webhook_attempts enable row level security;
