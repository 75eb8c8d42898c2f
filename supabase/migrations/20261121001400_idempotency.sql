-- Answers to requests that carried an Idempotency-Key, kept for a day. `status` is null while the request runs.
-- From `expires_at` on the key is free again: for a running request that is a lease which its runner renews, so that
-- one that died does not keep the key for long.
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
  primary key (key_id, idempotency_key),
  check ((status is null) = (headers is null) and (status is null) = (body is null))
);
alter table grounded.idempotency_keys enable row level security;
create index idempotency_keys_expiry on grounded.idempotency_keys (expires_at);
