-- The latest conversation of an end user is read with the inbox, without sorting all of them.
create index if not exists conversations_end_user_latest
  on grounded.conversations (project_id, end_user_id, created_at desc, id desc)
  where end_user_id is not null;
drop index if exists grounded.conversations_end_user;
