-- What the document of a page lacks: messages, or for websites the hosts that it links to and that the source does not read.
alter table grounded.source_pages add column left_out text[] not null default '{}';

-- What a run has left out without an error: an array of objects with `url` and `reason`.
alter table grounded.source_runs add column warnings jsonb not null default '[]';
