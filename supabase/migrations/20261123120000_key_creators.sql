-- The key that created a key, so that both are revoked together.
alter table grounded.api_keys add column creator_key_id uuid references grounded.api_keys on delete set null;
create index api_keys_creator on grounded.api_keys (creator_key_id) where creator_key_id is not null;
