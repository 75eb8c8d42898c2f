-- Removes change notifications between the service's processes by Supabase Realtime (EVENTS=realtime). LISTEN and
-- NOTIFY remain. The broadcast of inbox events to browsers by Supabase Realtime stays.
create or replace function grounded.tell_watchers() returns trigger language plpgsql set search_path = '' as $$
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

drop function grounded.hint_by_realtime(jsonb);
drop function grounded.beat_by_realtime(text);
drop sequence grounded.realtime_hints;
drop sequence grounded.realtime_hints_wanted_until;
