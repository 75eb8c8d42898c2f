-- The chat of a project on web sites: its publishable key, and the sites that may use it.
create table grounded.widgets (
  project_id      uuid primary key references grounded.projects on delete cascade,
  -- Shown to everybody who looks at such a site, so it is kept as it is.
  publishable_key text not null unique,
  is_enabled      boolean not null default true,
  -- Origins such as `https://shop.example.com` and `https://*.example.com`. Where there is none, nobody may use it.
  allowed_origins text[] not null default '{}' check (cardinality(allowed_origins) <= 50),
  -- Signs the tokens by which visitors go on with conversations of theirs.
  visitor_secret  bytea not null check (length(visitor_secret) = 32),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now()
);
alter table grounded.widgets enable row level security;

-- What visitors, and the addresses they come from, have asked for in their present window of one minute. Not worth a
-- log, as `rate_windows`; windows that are over are removed by those who open new ones.
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

do $do$
declare
  name text;
begin
  foreach name in array array['widgets', 'visitor_windows'] loop
    execute format($$create policy tenant on grounded.%I to grounded_service
      using ((select current_setting('grounded.tenant', true)) = 'system'
      or project_id = any ((select grounded.tenant_projects())::uuid[]))$$, name);
  end loop;
end $do$;
