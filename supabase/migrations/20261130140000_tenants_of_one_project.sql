-- A tenant of one project, `project:<id>:<organization>`: a key of a project, or a visitor of its widget. It sees the
-- rows of its project and those of its organization that belong to no project. Its projects are known without a query.
-- Otherwise each statement reads the ids of all projects of the organization.

create or replace function grounded.tenant_organizations() returns uuid[]
  language plpgsql stable parallel safe security definer set search_path = ''
as $$
declare
  tenant text := coalesce(current_setting('grounded.tenant', true), '');
begin
  if tenant in ('', 'system') then
    return '{}'::uuid[];
  elsif starts_with(tenant, 'project:') then
    return array[substr(tenant, 46, 36)::uuid];
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

create or replace function grounded.tenant_projects() returns uuid[]
  language plpgsql stable parallel unsafe security definer set search_path = ''
as $$
declare
  tenant text := coalesce(current_setting('grounded.tenant', true), '');
  known text;
  projects uuid[];
begin
  if starts_with(tenant, 'project:') then
    return array[substr(tenant, 9, 36)::uuid];
  end if;
  known := coalesce(current_setting('grounded.tenant_projects', true), '');
  if starts_with(known, tenant || ' {') then
    return substr(known, length(tenant) + 2)::uuid[];
  end if;
  projects := array(
    select project.id from grounded.projects project
    where project.organization_id = any (grounded.tenant_organizations()));
  perform set_config('grounded.tenant_projects', tenant || ' ' || projects::text, true);
  return projects;
end $$;

-- Returns null for a tenant that is not limited to one project.
create function grounded.tenant_project() returns uuid
  language sql stable parallel safe set search_path = ''
as $$
  select case when starts_with(current_setting('grounded.tenant', true), 'project:')
    then substr(current_setting('grounded.tenant', true), 9, 36)::uuid end
$$;
revoke execute on function grounded.tenant_project from public;

-- The policy `tenant` shows the projects of the organization, because an organization may insert a new one.
create policy one_project on grounded.projects as restrictive to grounded_service
  using (id = coalesce((select grounded.tenant_project()), id));
