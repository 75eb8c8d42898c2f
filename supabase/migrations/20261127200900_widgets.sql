-- The chat of a project on websites: its publishable key, and the sites that may use it.

create table grounded.widgets (
  project_id      uuid primary key references grounded.projects on delete cascade,
  -- Visible to every visitor of such a site, so it is stored as it is.
  publishable_key text not null unique,
  is_enabled      boolean not null default true,
  -- Origins such as `https://shop.example.com` and `https://*.example.com`. If there is none, no site may use the
  -- widget.
  allowed_origins text[] not null default '{}' check (cardinality(allowed_origins) <= 50),
  -- Signs the tokens with which visitors continue their conversations.
  visitor_secret  bytea not null check (length(visitor_secret) = 32),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),

  -- Signed-in visitors: the website signs the id of its user with a secret of the widget. Both secrets are encrypted.
  identity_secret                     text,
  identity_secret_created_at          timestamptz(3),
  previous_identity_secret            text,
  previous_identity_secret_expires_at timestamptz(3),
  -- Increases with each rotation, so that tokens of visitors end with the secret that verified them.
  identity_version     integer not null default 0,
  -- The widget refuses visitors without a verified id.
  is_identity_required boolean not null default false,
  constraint widgets_identity check (identity_secret is not null or not is_identity_required)
);
alter table grounded.widgets enable row level security;
create policy tenant on grounded.widgets to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

create trigger notify_access after update on grounded.widgets
  for each row when (old.publishable_key is distinct from new.publishable_key
    or old.is_enabled is distinct from new.is_enabled or old.allowed_origins is distinct from new.allowed_origins
    or old.identity_version is distinct from new.identity_version
    or old.is_identity_required is distinct from new.is_identity_required)
  execute function grounded.notify_access('widget', 'project_id');
create trigger notify_access_of_deleted after delete on grounded.widgets
  for each row execute function grounded.notify_access('widget', 'project_id');

-- Requests of visitors, and of their addresses, in their current window of one minute. Unlogged, as `rate_windows`. New
-- windows delete expired ones.
create unlogged table grounded.visitor_windows (
  project_id uuid not null references grounded.projects on delete cascade,
  -- `visitor <id>`, or `address <keyed hash>`
  who        text not null,
  started_at timestamptz not null,
  points     integer not null,
  primary key (project_id, who)
) with (fillfactor = 50);
alter table grounded.visitor_windows enable row level security;
create index visitor_windows_age on grounded.visitor_windows (project_id, started_at);
create policy tenant on grounded.visitor_windows to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));
