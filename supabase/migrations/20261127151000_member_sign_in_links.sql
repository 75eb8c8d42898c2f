-- A sign-in link that an owner or admin has made for a member. Only the SHA-256 of its secret is stored, and only of the
-- latest link. It is used up when the member signs in with it or gets another role.
alter table grounded.members
  add column if not exists sign_in_hash bytea unique check (length(sign_in_hash) = 32),
  add column if not exists sign_in_expires_at timestamptz(3);
