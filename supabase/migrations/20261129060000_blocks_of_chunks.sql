-- The blocks of the chunk's content, such as headings, list items and table rows, as offsets (`writeBlockSpans`). Null
-- in chunks that an earlier version stored, until a background job adds them.
alter table grounded.chunks add column blocks text;
-- Version of the format of `blocks` in the published chunks, or 0.
alter table grounded.documents add column block_spans integer not null default 0;
-- Finds the documents whose chunks have no blocks yet, or blocks of another version.
create index documents_block_spans on grounded.documents (block_spans) where status = 'READY';

create or replace view grounded.published_chunks with (security_invoker = true) as
  select c.* from grounded.chunks c
  where c.document_id <> all (array(select h.document_id from grounded.hidden_chunks h))
    or not exists (select from grounded.hidden_chunks h where h.project_id = c.project_id
      and h.document_id = c.document_id and h.attempt = c.attempt);
