-- An invitation by a link is a member without a user. Only the SHA-256 of the link's secret is stored. Without an expiry
-- the invitation is accepted by address only, at any time.
alter table grounded.members
  add column invitation_hash bytea unique check (length(invitation_hash) = 32),
  add column invitation_expires_at timestamptz(3);

-- A link may be opened by others than the owner of the address. A session that it has started is limited to the
-- organizations whose links were opened. Null: all organizations of the operator.
alter table grounded.operator_sessions add column organization_ids uuid[];

-- Adds the tenant `organizations:<id>,<id>` of such a session, and the expiry of invitations.
create or replace function grounded.tenant_organizations() returns uuid[]
  language plpgsql stable parallel safe security definer set search_path = ''
as $$
declare
  tenant text := coalesce(current_setting('grounded.tenant', true), '');
begin
  if tenant in ('', 'system') then
    return '{}'::uuid[];
  elsif starts_with(tenant, 'user:') then
    return array(
      select member.organization_id from grounded.members member where member.user_id = substr(tenant, 6, 36)::uuid
      union
      select member.organization_id from grounded.members member
      where member.user_id is null and member.email = nullif(substr(tenant, 43), '')
        and (member.invitation_expires_at is null or member.invitation_expires_at > now()));
  elsif starts_with(tenant, 'organizations:') then
    return string_to_array(substr(tenant, 15), ',')::uuid[];
  end if;
  return array[tenant::uuid];
end $$;
