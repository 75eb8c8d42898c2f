-- The addresses and links that a source keeps count as stored bytes of the organization.
alter table grounded.source_pages add column size_bytes integer not null default 0;

update grounded.source_pages set size_bytes = octet_length(url)
  + coalesce((select sum(octet_length(link)) from unnest(links) as link), 0);

insert into grounded.storage_usage as storage (organization_id, used_bytes)
select project.organization_id, sum(page.size_bytes)
from grounded.source_pages page join grounded.projects project on project.id = page.project_id
group by 1
on conflict (organization_id) do update set used_bytes = storage.used_bytes + excluded.used_bytes;
