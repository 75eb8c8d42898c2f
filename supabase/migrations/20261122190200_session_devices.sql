-- What the list of sessions shows an operator: the browser, and when it last requested an access token.
alter table grounded.operator_sessions
  add column last_used_at timestamptz(3) not null default now(),
  add column user_agent text not null default '' check (length(user_agent) <= 300);
