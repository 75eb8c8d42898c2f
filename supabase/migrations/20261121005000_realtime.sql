-- Supabase Realtime, where the database has it, now or later: whether it is there is asked when something is sent.

-- Members follow the inbox of a project on a private topic of its own. What is sent says where to look and nothing
-- else: whoever hears of it reads the event through GraphQL. The definer may write to Realtime's table.
create function grounded.broadcast_inbox_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if to_regprocedure('realtime.send(jsonb,text,text,boolean)') is not null then
    perform realtime.send(
      jsonb_build_object(
        'cursor', translate(rtrim(encode(convert_to('inbox:' || new.position, 'UTF8'), 'base64'), '='), '+/', '-_'),
        'type', new.type, 'handoffId', new.handoff_id, 'messageId', new.message_id),
      'handoff', 'grounded:' || new.project_id || ':inbox', true);
  end if;
  return null;
end $$;

create trigger broadcast_inbox_event after insert on grounded.inbox_events
  for each row execute function grounded.broadcast_inbox_event();

-- Whether the signed-in user is a member of the organization whose project's inbox has this topic; of any role, as
-- every role reads conversations. False for any other text: an error would break every join.
create function grounded.may_follow_inbox(topic text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  id_pattern constant text := '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
  claims constant jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
  project constant uuid := substring(topic from '^grounded:(' || id_pattern || '):inbox$')::uuid;
  member constant uuid := substring(lower(claims ->> 'sub') from '^' || id_pattern || '$')::uuid;
begin
  return exists (
    select from grounded.projects p
    join grounded.members m on m.organization_id = p.organization_id
    where p.id = project and m.user_id = member);
end $$;

-- Makes the policies on Realtime's table, once it is there. Says whether they are. Run after every migration.
-- The restrictive ones hold against broader policies of other applications in the same project.
create function grounded.open_inbox_topics() returns boolean
language plpgsql set search_path = '' as $$
begin
  if to_regclass('realtime.messages') is null or to_regprocedure('realtime.topic()') is null
    or (select count(*) from pg_roles where rolname in ('anon', 'authenticated')) < 2 then
    return false;
  end if;
  if exists (
    select from pg_policies
    where schemaname = 'realtime' and tablename = 'messages' and policyname = 'grounded_nobody_sends'
  ) then
    return true;
  end if;
  grant execute on function grounded.may_follow_inbox(text) to authenticated, anon;
  create policy grounded_members_follow on realtime.messages for select to authenticated using (
    extension = 'broadcast' and topic = (select realtime.topic())
    and (select grounded.may_follow_inbox(realtime.topic())));
  create policy grounded_members_alone_follow on realtime.messages as restrictive for select to anon, authenticated
    using (
      topic not like 'grounded:%'
      or (topic = (select realtime.topic()) and (select grounded.may_follow_inbox(realtime.topic()))));
  create policy grounded_nobody_sends on realtime.messages as restrictive for insert to anon, authenticated
    with check (topic not like 'grounded:%');
  return true;
exception when insufficient_privilege then
  raise warning 'no policies on realtime.messages (%): private topics stay closed', sqlerrm;
  return false;
end $$;
select grounded.open_inbox_topics();

-- The service's own hints go by Realtime only while some node wants them (EVENTS=realtime): every message is paid for.
-- Both are sequences because these change at once, for transactions under way as well.
create sequence grounded.realtime_hints;
create sequence grounded.realtime_hints_wanted_until; -- seconds since 1970

-- Sent by a node to itself, to hear whether hints arrive. Says the number of the last hint, and whether hints were
-- sent already before; asks for them for a day.
create function grounded.beat_by_realtime(node text, out last_hint bigint, out were_wanted boolean)
language plpgsql security definer set search_path = '' as $$
declare
  second constant bigint := extract(epoch from clock_timestamp());
  wanted_until bigint;
begin
  if to_regprocedure('realtime.send(jsonb,text,text,boolean)') is null then
    raise exception 'This database has no Supabase Realtime';
  end if;
  select last_value into wanted_until from grounded.realtime_hints_wanted_until;
  were_wanted := wanted_until > second;
  if wanted_until < second + 43200 then
    perform setval('grounded.realtime_hints_wanted_until', second + 86400);
  end if;
  perform realtime.send(jsonb_build_object('topic', 'beat', 'node', node), 'hint', 'grounded:hints', true);
  select case when is_called then last_value else 0 end into last_hint from grounded.realtime_hints;
end $$;

-- Numbered, so that a node sees which it has not heard; said once where a transaction repeats itself, as NOTIFY does.
create function grounded.hint_by_realtime(hint jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if current_setting('grounded.last_hint', true) is not distinct from hint::text then
    return;
  end if;
  if to_regprocedure('realtime.send(jsonb,text,text,boolean)') is not null then
    perform set_config('grounded.last_hint', hint::text, true);
    perform realtime.send(
      hint || jsonb_build_object('number', nextval('grounded.realtime_hints')), 'hint', 'grounded:hints', true);
  end if;
end $$;
revoke execute on function grounded.hint_by_realtime(jsonb) from public;

create or replace function grounded.tell_watchers() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  row_id uuid;
  hint jsonb;
begin
  if tg_table_name = 'messages' then
    row_id := new.conversation_id;
  elsif tg_table_name = 'inbox_events' then
    row_id := new.handoff_id;
  else
    row_id := new.id;
  end if;
  hint := jsonb_build_object('topic', tg_argv[0], 'projectId', new.project_id, 'id', row_id);
  perform pg_notify('grounded_events', hint::text);
  if (select last_value > extract(epoch from clock_timestamp()) from grounded.realtime_hints_wanted_until) then
    perform grounded.hint_by_realtime(hint);
  end if;
  return null;
end $$;
