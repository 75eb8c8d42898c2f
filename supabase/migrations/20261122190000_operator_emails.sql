-- Addresses of operators that Supabase Auth has confirmed, so that it is asked once per user and address.
create table grounded.operator_emails (
  user_id      uuid primary key,
  email        text not null check (email = lower(email)),
  confirmed_at timestamptz(3) not null default now()
);
alter table grounded.operator_emails enable row level security;

-- Belongs to no tenant: it is read before the caller is known.
create policy tenant on grounded.operator_emails to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');
