-- The parts of Supabase Realtime's database schema that tests need: API roles, messages table, functions and grants.
-- Modelled on a real project. Without ownership, because tests run as superuser.
do $$
declare role text;
begin
  foreach role in array array['anon', 'authenticated', 'service_role'] loop
    if exists (select from pg_roles where rolname = role) then continue; end if;
    begin
      execute format('create role %I nologin noinherit %s', role, case role when 'service_role' then 'bypassrls' end);
    exception when duplicate_object or unique_violation then
      -- Roles are shared by all databases of the server, and a test in another one has created it at the same time.
    end;
  end loop;
end $$;

create schema if not exists realtime;
create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid(),
  primary key (id, inserted_at)
) partition by range (inserted_at);
create table if not exists realtime.messages_default partition of realtime.messages default;
alter table realtime.messages enable row level security;

create or replace function realtime.topic() returns text language sql stable
as $$ select nullif(current_setting('realtime.topic', true), '') $$;

create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void language plpgsql as $$
declare
  message uuid := gen_random_uuid();
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, payload, event, topic, private, extension)
  values (message, case when payload ? 'id' then payload else payload || jsonb_build_object('id', message) end,
    event, topic, private, 'broadcast');
exception when others then
  raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end $$;

grant usage on schema realtime to anon, authenticated, service_role;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
grant execute on all functions in schema realtime to anon, authenticated, service_role;

-- Replaces the replication slot from which Realtime reads messages in commit order.
create or replace function realtime.stand_in_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('realtime_stand_in', new.id::text);
  return null;
end $$;
create or replace trigger stand_in_notify after insert on realtime.messages
  for each row execute function realtime.stand_in_notify();
