-- Tells those who watch a project that there is something to look at, when the change commits. By triggers, so that no
-- writer can forget it. Postgres folds equal notifications of a transaction into one.

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
  perform pg_catalog.pg_notify('grounded_events', pg_catalog.json_build_object(
    'topic', tg_argv[0], 'projectId', new.project_id, 'id', row_id)::text);
  return null;
end $$;

create trigger tell_watchers after insert on grounded.inbox_events
  for each row execute function grounded.tell_watchers('inbox');

create trigger tell_watchers after insert or update on grounded.conversations
  for each row execute function grounded.tell_watchers('conversations');
create trigger tell_watchers_of_new after insert on grounded.messages
  for each row execute function grounded.tell_watchers('conversations');
create trigger tell_watchers after update on grounded.messages
  for each row when (old.status is distinct from new.status)
  execute function grounded.tell_watchers('conversations');

create trigger tell_watchers_of_new after insert on grounded.documents
  for each row execute function grounded.tell_watchers('documents');
create trigger tell_watchers after update on grounded.documents
  for each row when (old.status is distinct from new.status)
  execute function grounded.tell_watchers('documents');

-- What may have changed while nobody could be told.
create index conversations_changed on grounded.conversations (project_id, updated_at, id);
create index documents_changed on grounded.documents (project_id, updated_at, id);
