-- Notifies every process when a key, membership, session or widget may have lost access, so that its open streams are
-- authorized again. By triggers, so that no writer can forget it.
create function grounded.notify_access() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('grounded_events', jsonb_build_object(
    'topic', 'access', 'principal', (tg_argv[0] || ':') || (to_jsonb(old) ->> tg_argv[1]))::text);
  return null;
end $$;

create trigger notify_access after update on grounded.api_keys
  for each row when (old.revoked_at is distinct from new.revoked_at or old.expires_at is distinct from new.expires_at)
  execute function grounded.notify_access('key', 'id');
create trigger notify_access_of_deleted after delete on grounded.api_keys
  for each row execute function grounded.notify_access('key', 'id');

create trigger notify_access after update on grounded.members
  for each row when (old.user_id is not null
    and (old.user_id is distinct from new.user_id or old.role is distinct from new.role))
  execute function grounded.notify_access('user', 'user_id');
create trigger notify_access_of_deleted after delete on grounded.members
  for each row when (old.user_id is not null) execute function grounded.notify_access('user', 'user_id');

create trigger notify_access_of_deleted after delete on grounded.operator_sessions
  for each row execute function grounded.notify_access('session', 'id');

create trigger notify_access after update on grounded.widgets
  for each row when (old.publishable_key is distinct from new.publishable_key
    or old.is_enabled is distinct from new.is_enabled or old.allowed_origins is distinct from new.allowed_origins)
  execute function grounded.notify_access('widget', 'project_id');
create trigger notify_access_of_deleted after delete on grounded.widgets
  for each row execute function grounded.notify_access('widget', 'project_id');
