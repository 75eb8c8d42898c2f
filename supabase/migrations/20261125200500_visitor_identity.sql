-- Signed-in visitors: the website signs the id of its user with a secret of the widget. Both secrets are encrypted. The
-- version increases with each rotation, so that tokens of visitors end with the secret that verified them.
alter table grounded.widgets
  add column identity_secret text,
  add column identity_secret_created_at timestamptz(3),
  add column previous_identity_secret text,
  add column previous_identity_secret_expires_at timestamptz(3),
  add column identity_version integer not null default 0,
  -- Whether the widget refuses visitors without a verified id.
  add column is_identity_required boolean not null default false,
  add constraint widgets_identity check (identity_secret is not null or not is_identity_required);

-- Only visitors with a verified id read and continue these conversations. Name and e-mail are what the page said.
alter table grounded.conversations
  add column is_end_user_verified boolean not null default false,
  add column end_user_name text,
  add column end_user_email text;

drop trigger notify_access on grounded.widgets;
create trigger notify_access after update on grounded.widgets
  for each row when (old.publishable_key is distinct from new.publishable_key
    or old.is_enabled is distinct from new.is_enabled or old.allowed_origins is distinct from new.allowed_origins
    or old.identity_version is distinct from new.identity_version
    or old.is_identity_required is distinct from new.is_identity_required)
  execute function grounded.notify_access('widget', 'project_id');
