-- What is kept for 90 days is found by its age, and readers of an inbox are told where they are too late.

create index inbox_events_age on grounded.inbox_events (created_at);
create index webhook_events_age on grounded.webhook_events (occurred_at);

-- Of the inbox events that are removed already the last one. Who knows less has missed something for good.
alter table grounded.projects add column inbox_removed_position bigint not null default 0;
