-- The interface that a conversation was started through. Null for conversations that are older than this column.
create type grounded.conversation_channel as enum ('WIDGET', 'REST', 'OPENAI', 'MCP', 'GRAPHQL', 'PLAYGROUND');
alter table grounded.conversations add column channel grounded.conversation_channel;
