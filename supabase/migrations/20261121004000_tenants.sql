-- Whose rows a transaction sees. The service acts as the role `grounded_service`, which row level security binds, and
-- says in each transaction for whom: `grounded.tenant` is an organization's id, `user:<id>:<address>` for an operator,
-- or `system`. Who says nothing sees nothing and changes nothing.

do $$
declare
  membership text := case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end;
begin
  if not exists (select from pg_roles where rolname = 'grounded_service') then
    begin
      create role grounded_service nologin;
    exception
      when duplicate_object or unique_violation then null; -- made for another database of this server just now
      when insufficient_privilege then
        raise exception 'The role grounded_service is missing, and % may not create it', current_user
          using hint = format(
            'Let an administrator run: create role grounded_service nologin; grant grounded_service to %I;',
            current_user);
    end;
  end if;
  -- A log-in that owns the tables becomes the role for each transaction.
  if not pg_has_role(current_user, 'grounded_service', membership) then
    begin
      execute format('grant grounded_service to %I', current_user);
    exception when insufficient_privilege then
      raise warning '% may not act as grounded_service: connect the service as another role', current_user;
    end;
  end if;
end $$;

grant usage on schema grounded to grounded_service;
grant select, insert, update, delete on all tables in schema grounded to grounded_service;
revoke insert, update, delete on grounded.plans from grounded_service;
grant usage on all sequences in schema grounded to grounded_service;
grant execute on all functions in schema grounded to grounded_service;
-- For what later migrations bring. Tables still need a policy.
alter default privileges in schema grounded grant select, insert, update, delete on tables to grounded_service;
alter default privileges in schema grounded grant usage on sequences to grounded_service;
alter default privileges in schema grounded grant execute on functions to grounded_service;

do $$
declare
  place name;
begin
  -- pgvector may be anywhere; where everybody may use its schema, nothing is needed.
  for place in
    select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'vector' and not has_schema_privilege('grounded_service', n.oid, 'usage')
  loop
    execute format('grant usage on schema %I to grounded_service', place);
  end loop;
  -- A service that may not migrate looks whether there is something to be migrated.
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    grant usage on schema supabase_migrations to grounded_service;
    grant select on supabase_migrations.schema_migrations to grounded_service;
  end if;
end $$;

-- An operator's are those of the memberships, and of invitations to the address, which are taken up at first sight.
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
      where member.user_id is null and member.email = nullif(substr(tenant, 43), ''));
  end if;
  return array[tenant::uuid];
end $$;

-- A statement asks for each table it names: the answer is kept to the end of the transaction.
create function grounded.tenant_projects() returns uuid[]
  language plpgsql stable parallel restricted security definer set search_path = ''
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

revoke all on function grounded.tenant_organizations, grounded.tenant_projects from public;
grant execute on function grounded.tenant_organizations, grounded.tenant_projects to grounded_service;

-- Within `(select …)` a function is called once a statement, and only when it is needed.
do $do$
declare
  policy text := $$create policy tenant on grounded.%I to grounded_service
    using ((select current_setting('grounded.tenant', true)) = 'system' or %s)$$;
  name text;
begin
  execute format(policy, 'organizations', 'id = any ((select grounded.tenant_organizations())::uuid[])');
  foreach name in array array['projects', 'members', 'api_keys', 'usage_periods', 'usage_days', 'storage_usage',
    'storage_days']
  loop
    execute format(policy, name, 'organization_id = any ((select grounded.tenant_organizations())::uuid[])');
  end loop;
  foreach name in array array['documents', 'chunks', 'chunk_vectors', 'conversations', 'messages', 'message_feedback',
    'handoffs', 'inbox_events', 'webhook_endpoints', 'webhook_events', 'webhook_deliveries']
  loop
    execute format(policy, name, 'project_id = any ((select grounded.tenant_projects())::uuid[])');
  end loop;
end $do$;

-- Rows of a row: whoever sees that one. Its own policy judges.
create policy tenant on grounded.webhook_attempts to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
  or exists (select from grounded.webhook_deliveries delivery where delivery.id = delivery_id));
create policy tenant on grounded.answer_events to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
  or exists (select from grounded.messages message where message.id = message_id));
create policy tenant on grounded.idempotency_keys to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
  or exists (select from grounded.api_keys key where key.id = key_id));
create policy tenant on grounded.rate_windows to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
  or exists (select from grounded.api_keys key where key.id = key_id));

-- What all tenants share.
create policy everyone_reads on grounded.plans for select to grounded_service using (true);
create policy everyone_reads on grounded.embedding_models for select to grounded_service using (true);
create policy system_inserts on grounded.embedding_models for insert to grounded_service
  with check ((select current_setting('grounded.tenant', true)) = 'system');
create policy system_updates on grounded.embedding_models for update to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');
create policy system_deletes on grounded.embedding_models for delete to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');

-- For a search by `terms @@ …`: a policy comes before an operator that could tell of other rows, and so before its
-- index. This view is the policy, without that order.
create view grounded.searchable_chunks as
  select id, project_id, length, terms from grounded.chunks
  where (select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]);
revoke insert, update, delete on grounded.searchable_chunks from grounded_service;
