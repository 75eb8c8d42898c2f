-- Conversations are filtered by the confidence of their answers. The condition follows from `confidence < …`, also where
-- the other conditions of the statement are no constants for the planner.
create index messages_confidence on grounded.messages (project_id, confidence) include (conversation_id)
  where confidence is not null;
