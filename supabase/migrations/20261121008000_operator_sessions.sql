-- How operators sign in where there is no Supabase Auth. Of links and sessions only the SHA-256 is stored.

-- A link works once.
create table grounded.sign_in_links (
  hash       bytea primary key check (length(hash) = 32),
  email      text not null check (email = lower(email)),
  expires_at timestamptz(3) not null
);
alter table grounded.sign_in_links enable row level security;

create table grounded.operator_sessions (
  hash       bytea primary key check (length(hash) = 32),
  email      text not null check (email = lower(email)),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
alter table grounded.operator_sessions enable row level security;
create index operator_sessions_expiry on grounded.operator_sessions (expires_at);

-- Of no tenant: the service looks them up before it knows who asks.
create policy tenant on grounded.sign_in_links to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');
create policy tenant on grounded.operator_sessions to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');
