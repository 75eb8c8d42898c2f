-- Names the column after what it stores: when the process that generates the answer last renewed its lease.
alter table grounded.messages rename column alive_at to lease_renewed_at;
