-- Scopes of API keys that manage handoffs, webhook endpoints and API keys. No existing key receives one.
alter type grounded.api_key_scope add value if not exists 'HANDOFF_WRITE';
alter type grounded.api_key_scope add value if not exists 'WEBHOOKS_WRITE';
alter type grounded.api_key_scope add value if not exists 'KEYS_WRITE';
