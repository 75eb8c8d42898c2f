-- Row level security on every table. Without a policy only the owner and BYPASSRLS roles see rows.
do $$
declare
  relation regclass;
  api_role text;
begin
  for relation in
    select c.oid::regclass from pg_class c
    where c.relnamespace = 'grounded'::regnamespace and c.relkind in ('r', 'p')
  loop
    execute format('alter table %s enable row level security', relation);
  end loop;

  -- The roles that PostgREST switches to, where there are such.
  for api_role in select rolname from pg_roles where rolname in ('anon', 'authenticated') loop
    execute format('revoke all on schema grounded from %I', api_role);
    execute format('revoke all on all tables in schema grounded from %I', api_role);
  end loop;
end $$;
