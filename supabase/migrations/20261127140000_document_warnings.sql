-- What a file contains and the published text lacks: an array of objects with `code` and `message`.
alter table grounded.documents add column warnings jsonb not null default '[]';
