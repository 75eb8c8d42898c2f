-- How processes learn of changes that other processes commit, and how far behind a read replica is.

-- Notifies the subscribers of a project that a row changed. By triggers, so that no writer can forget it. Postgres
-- merges equal notifications of a transaction.
create function grounded.tell_watchers() returns trigger language plpgsql set search_path = '' as $$
declare
  row_id uuid;
begin
  if tg_table_name = 'messages' then
    row_id := new.conversation_id;
  elsif tg_table_name = 'inbox_events' then
    row_id := new.handoff_id;
  else
    row_id := new.id;
  end if;
  perform pg_notify('grounded_events', jsonb_build_object(
    'topic', tg_argv[0], 'projectId', new.project_id, 'id', row_id)::text);
  return null;
end $$;

-- Notifies every process when a key, membership, session or widget may have lost access, so that its open streams are
-- authorized again. By triggers, so that no writer can forget it.
create function grounded.notify_access() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('grounded_events', jsonb_build_object(
    'topic', 'access', 'principal', (tg_argv[0] || ':') || (to_jsonb(old) ->> tg_argv[1]))::text);
  return null;
end $$;

revoke execute on function grounded.tell_watchers, grounded.notify_access from public;

-- One row that processes with read replicas update on the primary. A replica shows in it how far behind it is, and
-- which timeline it follows: a replica that was left on the timeline of a replaced primary never receives a later one.
create table grounded.replica_beats (
  id        smallint primary key default 1 check (id = 1),
  -- First eight digits of the names of the primary's WAL files.
  timeline  text not null,
  beaten_at timestamptz not null
);
alter table grounded.replica_beats enable row level security;
create policy tenant on grounded.replica_beats to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');
