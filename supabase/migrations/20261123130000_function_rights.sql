-- Postgres lets everybody execute a new function. Whoever may is granted it by name: the role of the service, and for
-- `may_follow_inbox` the roles of Supabase Realtime, together with its policies.
revoke execute on all functions in schema grounded from public;
