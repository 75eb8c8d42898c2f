-- Accounts of an OIDC provider. An operator's account belongs to one subject of an issuer, because a provider may give an
-- address to another person.
create table grounded.operator_identities (
  issuer       text not null,
  subject      text not null,
  email        text not null check (email = lower(email)),
  created_at   timestamptz(3) not null default now(),
  signed_in_at timestamptz(3) not null default now(),
  primary key (issuer, subject),
  unique (issuer, email)
);
alter table grounded.operator_identities enable row level security;
create index operator_identities_email on grounded.operator_identities (email);

-- Belongs to no tenant: it is read before the caller is known.
create policy tenant on grounded.operator_identities to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');

-- `is_mapped`: the provider's groups decide the role, at each sign-in. `role_by_hand`: the role from before, which returns
-- when the group is lost. Null for a membership that exists by the mapping only.
alter table grounded.members
  add column is_mapped boolean not null default false,
  add column role_by_hand grounded.role;

-- With its last membership an account also loses its subject, so that its address can be invited for another person. By
-- a trigger, because members remove members, who may not see this table.
create function grounded.remove_unused_identities() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from grounded.operator_identities identity
  where identity.email = old.email and not exists (
    select from grounded.members member where member.email = old.email and member.user_id is not null);
  return null;
end $$;
revoke execute on function grounded.remove_unused_identities from public;

create trigger remove_unused_identities after delete on grounded.members
  for each row when (old.user_id is not null) execute function grounded.remove_unused_identities();
