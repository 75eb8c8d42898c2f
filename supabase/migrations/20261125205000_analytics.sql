-- Analytics leave out the few conversations of the playground, and read conversations by the day on which they started.
create index conversations_playground on grounded.conversations (project_id, id) where channel = 'PLAYGROUND';
create index conversations_started on grounded.conversations (project_id, created_at);
