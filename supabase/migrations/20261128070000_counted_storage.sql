-- What a tenant stores counts against its storage: not only documents, but each table in which a tenant can make rows
-- or texts grow without another bound. The column `stored_bytes` of a row is what it counts: its texts, and a flat
-- amount for the row itself. Triggers keep the sum in storage_usage, so that no statement can forget it.

-- Adds bytes to the used storage of an organization, or subtracts them. Fails with GC001 if the sum is then above
-- `share` of the limit. Ignores an organization that is being deleted.
create function grounded.change_storage(of_organization uuid, bytes bigint, share numeric default 1) returns void
  language plpgsql set search_path = ''
as $$
declare
  limit_bytes numeric;
  new_bytes bigint;
begin
  if bytes > 0 then
    select share * coalesce(organization.storage_bytes, plan.storage_bytes, 9223372036854775807) into limit_bytes
    from grounded.organizations organization join grounded.plans plan on plan.name = organization.plan
    where organization.id = of_organization;
    if not found then return; end if;
    insert into grounded.storage_usage as storage (organization_id, used_bytes)
    select of_organization, bytes where bytes <= limit_bytes
    on conflict (organization_id) do update set used_bytes = storage.used_bytes + bytes
    where storage.used_bytes + bytes <= limit_bytes
    returning used_bytes into new_bytes;
    if not found then
      raise exception 'The plan''s storage is used up: % more bytes do not fit', bytes using errcode = 'GC001';
    end if;
  else
    update grounded.storage_usage set used_bytes = greatest(0, used_bytes + bytes)
    where organization_id = of_organization returning used_bytes into new_bytes;
    if not found then return; end if;
  end if;
  insert into grounded.storage_days (organization_id, day, used_bytes)
  values (of_organization, (now() at time zone 'UTC')::date, new_bytes)
  on conflict (organization_id, day) do update set used_bytes = excluded.used_bytes;
end $$;

-- For statements that store many rows. The transition tables are `added` and `removed`.
create function grounded.count_stored_rows() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
begin
  if tg_op = 'INSERT' then
    for change in
      select project.organization_id, sum(added.stored_bytes) as bytes
      from added join grounded.projects project on project.id = added.project_id group by 1
    loop
      perform grounded.change_storage(change.organization_id, change.bytes);
    end loop;
  elsif tg_op = 'DELETE' then
    for change in
      select project.organization_id, sum(removed.stored_bytes) as bytes
      from removed join grounded.projects project on project.id = removed.project_id
      group by 1 having sum(removed.stored_bytes) > 0
    loop
      perform grounded.change_storage(change.organization_id, -change.bytes);
    end loop;
  else
    for change in
      select project.organization_id, sum(changed.bytes) as bytes
      from (
        select project_id, stored_bytes as bytes from added
        union all
        select project_id, -stored_bytes from removed) changed
      join grounded.projects project on project.id = changed.project_id
      group by 1 having sum(changed.bytes) <> 0
    loop
      perform grounded.change_storage(change.organization_id, change.bytes);
    end loop;
  end if;
  return null;
end $$;

-- For single rows, at the end of the transaction: its statements lock other rows, such as that of the project, and the
-- row of the storage must be the last of all locks. What people write may exceed the limit by a tenth, so that
-- documents that fill the storage do not stop the inbox.
create function grounded.count_stored_row() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform grounded.change_storage(project.organization_id,
    new.stored_bytes - case when tg_op = 'UPDATE' then old.stored_bytes else 0 end, 1.1)
  from grounded.projects project where project.id = new.project_id;
  return null;
end $$;

create function grounded.bytes_of(texts text[]) returns integer language sql immutable set search_path = '' as
  $$ select coalesce(sum(octet_length(one)), 0)::integer from unnest(texts) one $$;

revoke execute on function
  grounded.change_storage, grounded.count_stored_rows, grounded.count_stored_row, grounded.bytes_of from public;

alter table grounded.question_sets add column stored_bytes integer not null generated always as (
  400 + octet_length(name) + octet_length(bounds::text)) stored;
alter table grounded.set_questions add column stored_bytes integer not null generated always as (
  200 + octet_length(question) + octet_length(expected::text) + coalesce(octet_length(document_name), 0)
  + grounded.bytes_of(tags) + coalesce(octet_length(language), 0)) stored;
-- The flat amount includes figures and the reason of a failure, so that a run can always finish.
alter table grounded.evaluation_runs add column stored_bytes integer not null generated always as (
  4000 + octet_length(candidate::text)) stored;
alter table grounded.evaluation_results add column stored_bytes integer not null generated always as (
  400 + coalesce(octet_length(answer), 0) + octet_length(citations::text) + coalesce(octet_length(model_reason), 0)
  + coalesce(octet_length(error), 0)) stored;
alter table grounded.conversation_notes add column stored_bytes integer not null generated always as (
  200 + octet_length(content)) stored;
alter table grounded.handoffs add column stored_bytes integer not null generated always as (
  400 + coalesce(octet_length(email), 0) + coalesce(octet_length(name), 0) + coalesce(octet_length(reason), 0)) stored;
alter table grounded.conversation_events add column stored_bytes integer not null generated always as (
  200 + octet_length(actor) + coalesce(octet_length(previous_agent), 0) + coalesce(octet_length(agent), 0)) stored;
-- 0 for messages that consume the message allowance. Those of people consume none.
alter table grounded.messages add column stored_bytes integer not null default 0;
update grounded.messages set stored_bytes = 200 + octet_length(content) where role = 'AGENT';

do $$
declare
  of_table text;
begin
  foreach of_table in array array['question_sets', 'set_questions', 'evaluation_runs', 'evaluation_results'] loop
    execute format('create trigger count_inserted after insert on grounded.%I referencing new table as added
      for each statement execute function grounded.count_stored_rows()', of_table);
    execute format('create trigger count_updated after update on grounded.%I
      referencing new table as added old table as removed
      for each statement execute function grounded.count_stored_rows()', of_table);
  end loop;
  foreach of_table in array array['conversation_events', 'conversation_notes', 'handoffs', 'messages'] loop
    execute format('create constraint trigger count_inserted after insert on grounded.%I
      deferrable initially deferred for each row when (new.stored_bytes > 0)
      execute function grounded.count_stored_row()', of_table);
    execute format('create constraint trigger count_updated after update on grounded.%I
      deferrable initially deferred for each row when (old.stored_bytes <> new.stored_bytes)
      execute function grounded.count_stored_row()', of_table);
  end loop;
  foreach of_table in array array['question_sets', 'set_questions', 'evaluation_runs', 'evaluation_results', 'conversation_events',
    'conversation_notes', 'handoffs', 'messages'] loop
    execute format('create trigger count_deleted after delete on grounded.%I referencing old table as removed
      for each statement execute function grounded.count_stored_rows()', of_table);
    execute format('
      insert into grounded.storage_usage as storage (organization_id, used_bytes)
      select project.organization_id, sum(stored.stored_bytes)
      from grounded.%I stored join grounded.projects project on project.id = stored.project_id group by 1
      on conflict (organization_id) do update set used_bytes = storage.used_bytes + excluded.used_bytes', of_table);
  end loop;
end $$;
