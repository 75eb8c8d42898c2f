-- Exports read the conversations of a project in the order of their ids, which never changes.
create index conversations_id on grounded.conversations (project_id, id);
