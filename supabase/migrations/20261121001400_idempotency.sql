-- Answers to requests that carried an Idempotency-Key, kept for a day. `status` is null while the request runs; its
-- runner renews the lease, and one that died leaves the key to the next request once the lease is over.
create table grounded.idempotency_keys (
  key_id          uuid not null references grounded.api_keys on delete cascade,
  idempotency_key text not null,
  fingerprint     bytea not null check (length(fingerprint) = 32),
  runner          uuid not null,
  leased_until    timestamptz(3) not null,
  status          integer,
  headers         jsonb,
  body            text,
  created_at      timestamptz(3) not null default now(),
  primary key (key_id, idempotency_key)
);
alter table grounded.idempotency_keys enable row level security;
create index idempotency_keys_age on grounded.idempotency_keys (created_at);
