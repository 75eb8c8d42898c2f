-- A key with a filter sees only the documents that match it. Null: all documents of its projects.
alter table grounded.api_keys add column filter jsonb;
