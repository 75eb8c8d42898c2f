-- A document whose chunks a job still deletes, in short statements. Nobody sees it, and searches ignore its chunks.
alter table grounded.documents add column deleted_at timestamptz(3);
create index documents_deleted on grounded.documents (project_id, id) where deleted_at is not null;
