-- Counts the documents of a project that wait for ingestion, so that projects take turns.
create index documents_waiting on grounded.documents (project_id) where status = 'PROCESSING';
