-- Requests of operators and of the service role in their current window of one minute. Unlogged, as `rate_windows`: a
-- crash gives every caller a new window. New windows delete expired ones.
create unlogged table grounded.caller_windows (
  -- `operator <id>` or `service`
  caller     text primary key,
  started_at timestamptz not null,
  requests   integer not null
) with (fillfactor = 50);
alter table grounded.caller_windows enable row level security;
create index caller_windows_age on grounded.caller_windows (started_at);

-- Belongs to no tenant: requests are counted before the tenant is known.
create policy tenant on grounded.caller_windows to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');
