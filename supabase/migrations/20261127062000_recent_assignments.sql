-- Finds the conversations that an agent has received lately.
create index conversation_events_agent on grounded.conversation_events (agent, created_at) where agent is not null;
