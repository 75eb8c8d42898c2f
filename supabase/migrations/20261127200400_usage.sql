-- What an organization uses, in counters that change in the transaction of what they count. Rate limits and
-- idempotency.

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
create policy tenant on grounded.usage_periods to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or organization_id = any ((select grounded.tenant_organizations())::uuid[]));

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
create policy tenant on grounded.usage_days to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or organization_id = any ((select grounded.tenant_organizations())::uuid[]));

-- Bytes of documents, and of the addresses and links that sources keep.
create table grounded.storage_usage (
  organization_id uuid primary key references grounded.organizations on delete cascade,
  used_bytes      bigint not null default 0 check (used_bytes >= 0)
);
alter table grounded.storage_usage enable row level security;
create policy tenant on grounded.storage_usage to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or organization_id = any ((select grounded.tenant_organizations())::uuid[]));

-- Bytes stored at the end of each day on which they changed. Written after the row of storage_usage, as usage_days.
create table grounded.storage_days (
  organization_id uuid not null references grounded.organizations on delete cascade,
  day             date not null,
  used_bytes      bigint not null,
  primary key (organization_id, day)
);
alter table grounded.storage_days enable row level security;
create policy tenant on grounded.storage_days to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or organization_id = any ((select grounded.tenant_organizations())::uuid[]));

-- Requests of each API key in its current window of one minute, which begins with the first request after the last
-- window. Unlogged: a crash gives every key a new window.
create unlogged table grounded.rate_windows (
  key_id     uuid primary key references grounded.api_keys on delete cascade,
  started_at timestamptz not null,
  requests   integer not null
) with (fillfactor = 50);
alter table grounded.rate_windows enable row level security;
-- The policy of the other table decides.
create policy tenant on grounded.rate_windows to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or exists (select from grounded.api_keys key where key.id = key_id));

-- Requests of operators and of the service role in their current window of one minute. New windows delete expired ones.
-- Belongs to no tenant: requests are counted before the tenant is known.
create unlogged table grounded.caller_windows (
  -- `operator <id>` or `service`
  caller     text primary key,
  started_at timestamptz not null,
  requests   integer not null
) with (fillfactor = 50);
alter table grounded.caller_windows enable row level security;
create index caller_windows_age on grounded.caller_windows (started_at);
create policy tenant on grounded.caller_windows to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');

-- Responses to requests with an Idempotency-Key, kept for a day. `status` is null while the request runs. At
-- `expires_at` the key is free again.
create table grounded.idempotency_keys (
  key_id          uuid not null references grounded.api_keys on delete cascade,
  idempotency_key text not null,
  fingerprint     bytea not null check (length(fingerprint) = 32),
  runner          uuid not null,
  status          integer,
  headers         jsonb,
  body            text,
  expires_at      timestamptz(3) not null,
  created_at      timestamptz(3) not null default now(),
  -- The id of the document, handoff or answer that the running request stored, in the transaction that stored it. A row
  -- with an effect is kept for a day, so that a retry after a crash returns the effect.
  effect_id       uuid,
  -- The lease that the runner renews, so that a crashed one does not keep the key for long. Null: `expires_at` is the
  -- lease.
  leased_until    timestamptz(3),
  primary key (key_id, idempotency_key),
  check ((status is null) = (headers is null) and (status is null) = (body is null))
);
alter table grounded.idempotency_keys enable row level security;
create index idempotency_keys_expiry on grounded.idempotency_keys (expires_at);
create policy tenant on grounded.idempotency_keys to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or exists (select from grounded.api_keys key where key.id = key_id));
