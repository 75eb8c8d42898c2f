-- `tenant_projects` stores its result with `set_config`, which fails while a statement runs in parallel. Postgres would
-- plan such statements for large tables.
alter function grounded.tenant_projects() parallel unsafe;
