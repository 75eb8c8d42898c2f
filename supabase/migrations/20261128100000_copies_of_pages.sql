-- Equal for pages of a website with the same text, which become one document. Null for other sources.
alter table grounded.source_pages add column text_key text;
create index source_pages_text on grounded.source_pages (source_id, text_key) where text_key is not null;
