-- Requests of each API key in its current window of one minute, which begins with the first request after the last
-- window has ended. Not worth a log: a crash gives every key a fresh window.
create unlogged table grounded.rate_windows (
  key_id     uuid primary key references grounded.api_keys on delete cascade,
  started_at timestamptz not null,
  requests   integer not null
) with (fillfactor = 50);
alter table grounded.rate_windows enable row level security;
