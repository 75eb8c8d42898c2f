-- Plans, organizations, projects, members and API keys; which rows a tenant sees; the audit log.

-- Limits. Null means unlimited.
create table grounded.plans (
  name                text primary key,
  monthly_messages    integer,
  max_upload_bytes    bigint not null,
  storage_bytes       bigint,
  requests_per_minute integer not null
);
alter table grounded.plans enable row level security;
create policy everyone_reads on grounded.plans for select to grounded_service using (true);
revoke insert, update, delete on grounded.plans from grounded_service;

insert into grounded.plans values
  ('free',    500,  10000000,  100000000,   60),
  ('pro',   10000,  25000000, 5000000000,  300),
  ('scale',  null, 100000000,       null, 3000);

-- The limit columns override those of the plan if they are not null.
create table grounded.organizations (
  id                  uuid primary key,
  name                text not null,
  plan                text not null default 'free' references grounded.plans,
  monthly_messages    integer check (monthly_messages >= 0),
  max_upload_bytes    bigint check (max_upload_bytes > 0),
  storage_bytes       bigint check (storage_bytes >= 0),
  requests_per_minute integer check (requests_per_minute > 0),
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now()
);
alter table grounded.organizations enable row level security;

-- OFFER: the assistant says how to reach a person. START: it requests the handoff.
create type grounded.human_request as enum ('OFFER', 'START');
create type grounded.ocr_mode as enum ('OFF', 'ON', 'AUTO');

create table grounded.projects (
  id              uuid primary key,
  organization_id uuid not null references grounded.organizations on delete cascade,
  name            text not null,
  instructions    text,
  fallback_text   text,
  holding_text    text,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),

  -- Numbers the inbox events of the project. A writer locks this row until its commit, so the order of positions is the
  -- order of commits, and readers skip none.
  inbox_position bigint not null default 0,

  -- `{"timeZone": "Europe/Berlin", "weekly": [{"day": "MONDAY", "from": "09:00", "to": "17:00"}]}`. Null: always.
  business_hours    jsonb,
  out_of_hours_text text,

  -- The last inbox position that was deleted by retention. A reader with an earlier position has missed events.
  inbox_removed_position bigint not null default 0,

  -- Replies to small talk. Null: the built-in text in the language of the message.
  greeting_text  text,
  thanks_text    text,
  goodbye_text   text,
  identity_text  text,
  help_text      text,
  human_text     text,
  complaint_text text,
  gibberish_text text,
  human_request  grounded.human_request not null default 'OFFER',

  -- The confidence from which the assistant answers. Null: the default of the models.
  confidence_threshold double precision check (confidence_threshold between 0 and 1),

  -- Settings of the language model. Null: the value of the installation, which is also the maximum of the last three.
  chat_temperature       double precision check (chat_temperature between 0 and 2),
  chat_reasoning_effort  text check (chat_reasoning_effort ~ '^[a-z]{1,20}$'),
  chat_max_output_tokens integer check (chat_max_output_tokens >= 16),
  chat_context_chunks    integer check (chat_context_chunks >= 1),
  chat_context_tokens    integer check (chat_context_tokens >= 200),

  -- How OCR reads documents from now on: see src/extract/ocr/ocr-settings.ts.
  ocr_mode      grounded.ocr_mode not null default 'AUTO',
  ocr_languages text[] not null default '{eng}' check (cardinality(ocr_languages) between 1 and 5),
  ocr_pages     integer not null default 50 check (ocr_pages between 1 and 200),

  -- Targets of handoffs, in minutes of business hours. Null: no target.
  first_reply_target_minutes integer check (first_reply_target_minutes between 1 and 43200),
  resolution_target_minutes  integer check (resolution_target_minutes between 1 and 43200),
  asks_for_satisfaction      boolean not null default false
);
alter table grounded.projects enable row level security;
create index projects_organization on grounded.projects (organization_id, id);

create type grounded.role as enum ('OWNER', 'ADMIN', 'AGENT', 'VIEWER');

-- Operators. A member who was invited by address or link has no user until the first sign-in.
create table grounded.members (
  id              uuid primary key,
  organization_id uuid not null references grounded.organizations on delete cascade,
  email           text not null check (email = lower(email)),
  user_id         uuid,
  role            grounded.role not null,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),

  -- An invitation by a link. Only the SHA-256 of the link's secret is stored. Without an expiry the invitation is
  -- accepted by address only, at any time.
  invitation_hash       bytea unique check (length(invitation_hash) = 32),
  invitation_expires_at timestamptz(3),

  -- The groups of the OIDC provider decide the role, at each sign-in.
  is_mapped    boolean not null default false,
  -- The role from before, which returns when the group is lost. Null: the membership exists by the mapping only.
  role_by_hand grounded.role,

  -- A sign-in link that an owner or admin has made for the member. Only the SHA-256 of its secret is stored, and only
  -- of the latest link. It is used up when the member signs in with it or gets another role.
  sign_in_hash       bytea unique check (length(sign_in_hash) = 32),
  sign_in_expires_at timestamptz(3),

  unique (organization_id, email)
);
alter table grounded.members enable row level security;
create index members_user on grounded.members (user_id);

create trigger notify_access after update on grounded.members
  for each row when (old.user_id is not null
    and (old.user_id is distinct from new.user_id or old.role is distinct from new.role))
  execute function grounded.notify_access('user', 'user_id');
create trigger notify_access_of_deleted after delete on grounded.members
  for each row when (old.user_id is not null) execute function grounded.notify_access('user', 'user_id');

create type grounded.api_key_scope as enum
  ('CHAT', 'KNOWLEDGE_READ', 'KNOWLEDGE_WRITE', 'CONVERSATIONS_READ', 'ANALYTICS_READ',
   'HANDOFF_WRITE', 'WEBHOOKS_WRITE', 'KEYS_WRITE');

-- Only the SHA-256 of the key is stored.
create table grounded.api_keys (
  id              uuid primary key,
  organization_id uuid not null references grounded.organizations on delete cascade,
  project_id      uuid references grounded.projects on delete cascade,
  name            text not null,
  hash            bytea not null unique check (length(hash) = 32),
  prefix          text not null,
  last_four       text not null,
  scopes          grounded.api_key_scope[] not null,
  created_by      text not null,
  created_at      timestamptz(3) not null default now(),
  last_used_at    timestamptz(3),
  expires_at      timestamptz(3),
  revoked_at      timestamptz(3),
  -- The key sees only the documents that match it. Null: all documents of its projects.
  filter          jsonb,
  -- The key that created this one, so that both are revoked together.
  creator_key_id  uuid references grounded.api_keys on delete set null
);
alter table grounded.api_keys enable row level security;
create index api_keys_organization on grounded.api_keys (organization_id, id);
create index api_keys_project on grounded.api_keys (project_id);
create index api_keys_creator on grounded.api_keys (creator_key_id) where creator_key_id is not null;

create trigger notify_access after update on grounded.api_keys
  for each row when (old.revoked_at is distinct from new.revoked_at or old.expires_at is distinct from new.expires_at)
  execute function grounded.notify_access('key', 'id');
create trigger notify_access_of_deleted after delete on grounded.api_keys
  for each row execute function grounded.notify_access('key', 'id');

-- Returns the organizations of the tenant. Those of an operator are those of the memberships, and of invitations to the
-- address, which are accepted when the operator is first seen.
create function grounded.tenant_organizations() returns uuid[]
  language plpgsql stable parallel safe security definer set search_path = ''
as $$
declare
  tenant text := coalesce(current_setting('grounded.tenant', true), '');
begin
  if tenant in ('', 'system') then
    return '{}'::uuid[];
  elsif starts_with(tenant, 'user:') then
    return array(
      select member.organization_id from grounded.members member where member.user_id = substr(tenant, 6, 36)::uuid
      union
      select member.organization_id from grounded.members member
      where member.user_id is null and member.email = nullif(substr(tenant, 43), '')
        and (member.invitation_expires_at is null or member.invitation_expires_at > now()));
  elsif starts_with(tenant, 'organizations:') then
    return string_to_array(substr(tenant, 15), ',')::uuid[];
  end if;
  return array[tenant::uuid];
end $$;

-- Returns the projects of the tenant, and stores them until the end of the transaction, because a statement asks for
-- each table that it names. Parallel unsafe: `set_config` fails while a statement runs in parallel.
create function grounded.tenant_projects() returns uuid[]
  language plpgsql stable parallel unsafe security definer set search_path = ''
as $$
declare
  tenant text := coalesce(current_setting('grounded.tenant', true), '');
  known text := coalesce(current_setting('grounded.tenant_projects', true), '');
  projects uuid[];
begin
  if starts_with(known, tenant || ' {') then
    return substr(known, length(tenant) + 2)::uuid[];
  end if;
  projects := array(
    select project.id from grounded.projects project
    where project.organization_id = any (grounded.tenant_organizations()));
  perform set_config('grounded.tenant_projects', tenant || ' ' || projects::text, true);
  return projects;
end $$;

create function grounded.forget_tenant_projects() returns trigger language plpgsql set search_path = '' as $$
begin
  perform set_config('grounded.tenant_projects', '', true);
  return null;
end $$;
create trigger forget_tenant_projects after insert or delete or update of organization_id on grounded.projects
  for each statement execute function grounded.forget_tenant_projects();

revoke execute on function
  grounded.tenant_organizations, grounded.tenant_projects, grounded.forget_tenant_projects from public;

-- Within `(select …)` a function is called once per statement, and only if it is needed. The policies of all later
-- tables have one of these forms.
create policy tenant on grounded.organizations to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or id = any ((select grounded.tenant_organizations())::uuid[]));
create policy tenant on grounded.projects to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or organization_id = any ((select grounded.tenant_organizations())::uuid[]));
create policy tenant on grounded.members to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or organization_id = any ((select grounded.tenant_organizations())::uuid[]));
create policy tenant on grounded.api_keys to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or organization_id = any ((select grounded.tenant_organizations())::uuid[]));

-- Who changed what. The service may insert and read entries, and never change them. The names of actor and target are
-- stored as they were: both may be deleted later.
create table grounded.audit_entries (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references grounded.organizations on delete cascade,
  created_at      timestamptz(3) not null default now(),
  action          text not null,
  actor_type      text not null,
  actor_id        text,
  actor_name      text,
  target_type     text not null,
  target_id       text,
  target_name     text,
  change          jsonb not null default '{}' check (pg_column_size(change) < 65536),
  ip_address      text,
  user_agent      text,
  request_id      text
);
alter table grounded.audit_entries enable row level security;
create index audit_entries_newest on grounded.audit_entries (organization_id, created_at desc, id desc);
create index audit_entries_created_at on grounded.audit_entries (created_at);
create policy tenant_reads on grounded.audit_entries for select to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or organization_id = any ((select grounded.tenant_organizations())::uuid[]));
create policy tenant_inserts on grounded.audit_entries for insert to grounded_service
  with check ((select current_setting('grounded.tenant', true)) = 'system'
    or organization_id = any ((select grounded.tenant_organizations())::uuid[]));
revoke update, delete, truncate on grounded.audit_entries from grounded_service;

-- Retention. Entries younger than 30 days cannot be deleted, whatever the setting says.
create function grounded.remove_old_audit_entries(retention_days integer, batch_size integer)
  returns setof uuid language sql security definer set search_path = ''
as $$
  delete from grounded.audit_entries where id in (
    select entry.id from grounded.audit_entries entry
    where entry.created_at < now() - make_interval(days => greatest(retention_days, 30))
    order by entry.created_at
    limit batch_size
    for update skip locked)
  returning id
$$;
revoke execute on function grounded.remove_old_audit_entries from public;
