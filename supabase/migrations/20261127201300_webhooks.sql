-- Webhook endpoints, the events that they subscribe to, and the deliveries of each event with their attempts.

-- Requests are signed with the secret, so it is encrypted and not hashed. `previous_secret` signs too until it expires.
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
create policy tenant on grounded.webhook_endpoints to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- Written in the transaction of what happened. The id is the `webhook-id` of every delivery of the event. Kept for 90
-- days.
create table grounded.webhook_events (
  id          uuid primary key,
  project_id  uuid not null references grounded.projects on delete cascade,
  type        text not null,
  data        jsonb not null,
  occurred_at timestamptz(3) not null default now()
);
alter table grounded.webhook_events enable row level security;
create index webhook_events_project on grounded.webhook_events (project_id, id);
create index webhook_events_age on grounded.webhook_events (occurred_at);
create policy tenant on grounded.webhook_events to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

create type grounded.webhook_delivery_status as enum ('PENDING', 'DELIVERED', 'FAILED');

create table grounded.webhook_deliveries (
  id               uuid primary key,
  project_id       uuid not null references grounded.projects on delete cascade,
  event_id         uuid not null references grounded.webhook_events on delete cascade,
  endpoint_id      uuid not null references grounded.webhook_endpoints on delete cascade,
  status           grounded.webhook_delivery_status not null default 'PENDING',
  attempts         integer not null default 0,
  -- Attempts before the delivery was last repeated by hand, which starts the schedule of retries again.
  attempts_before  integer not null default 0,
  next_attempt_at  timestamptz(3),
  -- Status and latency of the last attempt.
  response_status  integer,
  latency_ms       integer,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now()
);
alter table grounded.webhook_deliveries enable row level security;
create index webhook_deliveries_project on grounded.webhook_deliveries (project_id, id);
create index webhook_deliveries_event on grounded.webhook_deliveries (event_id);
create index webhook_deliveries_endpoint on grounded.webhook_deliveries (endpoint_id, id);
create policy tenant on grounded.webhook_deliveries to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- The log of attempts. Without a response there is no status. `error` says why an attempt has failed.
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
create policy tenant on grounded.webhook_attempts to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or exists (select from grounded.webhook_deliveries delivery where delivery.id = delivery_id));
