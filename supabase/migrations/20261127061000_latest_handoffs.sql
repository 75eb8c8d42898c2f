-- The handoff of each conversation that the inbox lists. Set by the database, because earlier versions of the service
-- insert handoffs while an update is rolled out.
alter table grounded.handoffs add column is_latest boolean not null default true;

-- An open handoff is the latest, whatever the clocks of the processes said.
update grounded.handoffs handoff set is_latest = false
from (
  select distinct on (conversation_id) conversation_id, id from grounded.handoffs
  order by conversation_id, status = 'RESOLVED', requested_at desc, id desc
) latest
where latest.conversation_id = handoff.conversation_id and latest.id <> handoff.id;

create function grounded.supersede_handoffs() returns trigger language plpgsql set search_path = '' as $$
begin
  update grounded.handoffs set is_latest = false
  where project_id = new.project_id and conversation_id = new.conversation_id and is_latest;
  return new;
end $$;
revoke all on function grounded.supersede_handoffs from public;
create trigger supersede_handoffs before insert on grounded.handoffs
  for each row when (new.is_latest) execute function grounded.supersede_handoffs();
