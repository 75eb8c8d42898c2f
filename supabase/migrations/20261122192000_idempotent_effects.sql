-- The effect of a running request with an Idempotency-Key: the id of the document, handoff or answer that it stored, in
-- the transaction that stored it. With an effect, the row is kept for a day and only `leased_until` is the lease, so a
-- retry after a crash returns the effect. Null for rows of older versions, whose lease is `expires_at`.
alter table grounded.idempotency_keys
  add column effect_id uuid,
  add column leased_until timestamptz(3);
