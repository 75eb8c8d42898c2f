-- Why the chat model stopped writing an answer. Null for other messages, and for answers that no model wrote to the end.
create type grounded.finish_reason as enum ('STOP', 'LENGTH', 'REFUSAL');
alter table grounded.messages add column finish_reason grounded.finish_reason;
