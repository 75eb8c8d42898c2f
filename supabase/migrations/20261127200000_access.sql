-- The schema, and the role as which the service reads and writes it.
-- All migrations run as an ordinary role on hosted Supabase, plain Postgres (15 to 18) and PGlite. The runner owns the
-- transaction.

-- Private: not among the schemas that PostgREST exposes, and closed to its roles by privilege too.
create schema if not exists grounded;
revoke all on schema grounded from public;

-- The roles that PostgREST switches to, if they exist.
do $$
declare
  api_role text;
begin
  for api_role in select rolname from pg_roles where rolname in ('anon', 'authenticated') loop
    execute format('revoke all on schema grounded from %I', api_role);
  end loop;
end $$;

-- The service acts as the role `grounded_service`, to which row-level security applies. Each transaction names its
-- tenant in the setting `grounded.tenant`: an organization's id, `user:<id>:<address>` for an operator,
-- `organizations:<id>,<id>` for a limited session, or `system`. Without a tenant no row can be read or changed.
do $$
declare
  membership text := case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end;
begin
  if not exists (select from pg_roles where rolname = 'grounded_service') then
    begin
      create role grounded_service nologin;
    exception
      when duplicate_object or unique_violation then null; -- created for another database of this server just now
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
-- For the objects of this and all later migrations. Each table also needs row-level security and a policy. Postgres
-- lets everybody execute a new function, so a migration that creates one ends with `revoke execute … from public`.
alter default privileges in schema grounded grant select, insert, update, delete on tables to grounded_service;
alter default privileges in schema grounded grant usage on sequences to grounded_service;
alter default privileges in schema grounded grant execute on functions to grounded_service;

-- A service that may not migrate checks whether migrations are pending.
do $$
begin
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    grant usage on schema supabase_migrations to grounded_service;
    grant select on supabase_migrations.schema_migrations to grounded_service;
  end if;
end $$;
