-- Requests of API keys, operators, the service role, visitors and IP addresses in their current window. A window begins
-- with the first request after the last one and has the length that its limit says. New windows delete those that have
-- ended. Belongs to no tenant: requests are counted before the tenant is known. Unlogged: a crash starts new windows.
create unlogged table grounded.request_windows (
  -- Such as `key <id>`, `operator <id>`, `service`, `visitor <id>`, or `address <keyed hash>`
  name    text primary key,
  ends_at timestamptz not null,
  -- Requests, or the points that they cost
  counted integer not null
) with (fillfactor = 50);
alter table grounded.request_windows enable row level security;
create index request_windows_end on grounded.request_windows (ends_at);
create policy tenant on grounded.request_windows to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');

-- Processes of the version before this one count in these tables until they stop, so a later migration drops them.
comment on table grounded.rate_windows is 'Unused: request_windows';
comment on table grounded.caller_windows is 'Unused: request_windows';
comment on table grounded.visitor_windows is 'Unused: request_windows';
