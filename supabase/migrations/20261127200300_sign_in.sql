-- How operators sign in. Only the SHA-256 of links and sessions is stored. These tables belong to no tenant: they are
-- read before the caller is known.

-- A link works once.
create table grounded.sign_in_links (
  hash       bytea primary key check (length(hash) = 32),
  email      text not null check (email = lower(email)),
  expires_at timestamptz(3) not null
);
alter table grounded.sign_in_links enable row level security;
create policy tenant on grounded.sign_in_links to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');

create table grounded.operator_sessions (
  hash       bytea primary key check (length(hash) = 32),
  email      text not null check (email = lower(email)),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- Access tokens of the dashboard name their session, so that they end with it.
  id         uuid not null default gen_random_uuid(),
  -- What the list of sessions shows an operator: when it last requested an access token, and the browser.
  last_used_at timestamptz(3) not null default now(),
  user_agent   text not null default '' check (length(user_agent) <= 300),
  -- A link may be opened by others than the owner of the address. A session that it has started is limited to the
  -- organizations whose links were opened. Null: all organizations of the operator.
  organization_ids uuid[]
);
alter table grounded.operator_sessions enable row level security;
create index operator_sessions_expiry on grounded.operator_sessions (expires_at);
create unique index operator_sessions_id on grounded.operator_sessions (id);
create index operator_sessions_email on grounded.operator_sessions (email);
create policy tenant on grounded.operator_sessions to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');

create trigger notify_access_of_deleted after delete on grounded.operator_sessions
  for each row execute function grounded.notify_access('session', 'id');

-- Admins may have opened a link of a member whom an owner later makes an owner. The sessions of such links end then. By
-- a trigger, because members change members, who may not see this table.
create function grounded.end_limited_sessions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from grounded.operator_sessions session
  where session.email = new.email and session.organization_ids @> array[new.organization_id];
  return null;
end $$;
create trigger end_limited_sessions after update of role on grounded.members
  for each row when (old.user_id is not null and new.role = 'OWNER' and old.role <> 'OWNER')
  execute function grounded.end_limited_sessions();

-- Addresses of operators that Supabase Auth has confirmed, so that it is asked once per user and address.
create table grounded.operator_emails (
  user_id      uuid primary key,
  email        text not null check (email = lower(email)),
  confirmed_at timestamptz(3) not null default now()
);
alter table grounded.operator_emails enable row level security;
create policy tenant on grounded.operator_emails to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');

-- Accounts of an OIDC provider. An operator's account belongs to one subject of an issuer, because a provider may give
-- an address to another person.
create table grounded.operator_identities (
  issuer       text not null,
  subject      text not null,
  email        text not null check (email = lower(email)),
  created_at   timestamptz(3) not null default now(),
  signed_in_at timestamptz(3) not null default now(),
  primary key (issuer, subject),
  unique (issuer, email)
);
alter table grounded.operator_identities enable row level security;
create index operator_identities_email on grounded.operator_identities (email);
create policy tenant on grounded.operator_identities to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');

-- With its last membership an account also loses its subject, so that its address can be invited for another person. By
-- a trigger, because members remove members, who may not see this table.
create function grounded.remove_unused_identities() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from grounded.operator_identities identity
  where identity.email = old.email and not exists (
    select from grounded.members member where member.email = old.email and member.user_id is not null);
  return null;
end $$;
create trigger remove_unused_identities after delete on grounded.members
  for each row when (old.user_id is not null) execute function grounded.remove_unused_identities();

revoke execute on function grounded.end_limited_sessions, grounded.remove_unused_identities from public;
