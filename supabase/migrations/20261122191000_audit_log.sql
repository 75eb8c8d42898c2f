-- Who changed what. The service may insert and read entries, and never change them. The name of the actor and the target
-- are stored as they were: both may be deleted later.
create table grounded.audit_entries (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references grounded.organizations (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  action text not null,
  actor_type text not null,
  actor_id text,
  actor_name text,
  target_type text not null,
  target_id text,
  target_name text,
  change jsonb not null default '{}' check (pg_column_size(change) < 65536),
  ip_address text,
  user_agent text,
  request_id text
);
create index audit_entries_newest on grounded.audit_entries (organization_id, created_at desc, id desc);
create index audit_entries_created_at on grounded.audit_entries (created_at);

alter table grounded.audit_entries enable row level security;
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
grant execute on function grounded.remove_old_audit_entries to grounded_service;
