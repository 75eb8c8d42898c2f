-- A sign-in link that an owner or admin has made for a member. Only the SHA-256 of its secret is stored, and only of the
-- latest link. It is used up when the member signs in with it or gets another role.
alter table grounded.members
  add column if not exists sign_in_hash bytea unique check (length(sign_in_hash) = 32),
  add column if not exists sign_in_expires_at timestamptz(3);

-- Admins may have opened a link of a member whom an owner later makes an owner. The sessions of such links end then. By a
-- trigger, because members change members, who may not see this table.
create or replace function grounded.end_limited_sessions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from grounded.operator_sessions session
  where session.email = new.email and session.organization_ids @> array[new.organization_id];
  return null;
end $$;
revoke execute on function grounded.end_limited_sessions from public;

create or replace trigger end_limited_sessions after update of role on grounded.members
  for each row when (old.user_id is not null and new.role = 'OWNER' and old.role <> 'OWNER')
  execute function grounded.end_limited_sessions();
