-- Supabase, if the database has it. Realtime may also be added later: the trigger checks for it when it sends.

-- The roles that PostgREST switches to have no rights on our tables, whatever the default privileges of the database
-- are.
do $$
declare
  api_role text;
begin
  for api_role in select rolname from pg_roles where rolname in ('anon', 'authenticated') loop
    execute format('revoke all on all tables in schema grounded from %I', api_role);
  end loop;
end $$;

-- Members follow the inbox of a project on a private topic of its own. A message contains ids only, and its receiver
-- reads the event through GraphQL. Security definer: the owner may write to Realtime's table.
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

-- Returns whether the signed-in user is a member, with any role, of the organization whose project's inbox has this
-- topic. Returns false for any other text: an error would break every join.
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

-- Creates the policies on Realtime's table if it exists. Returns whether they exist. Run after every migration.
-- The restrictive ones also limit broader policies of other applications in the same project.
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

revoke execute on function
  grounded.broadcast_inbox_event, grounded.may_follow_inbox, grounded.open_inbox_topics from public;

select grounded.open_inbox_topics();
