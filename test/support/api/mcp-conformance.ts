/** A protocol revision that the conformance tool can test. */
export type McpRevision = '2025-11-25' | '2026-07-28';

interface Exemption {
  /** Why the server is allowed to fail these checks. */
  readonly reason: string;
  /** The checks that fail, by the name of their scenario. */
  readonly checks: Readonly<Record<string, readonly string[]>>;
  /** Revision to which the exemption applies. Default: both revisions. */
  readonly revision?: McpRevision;
}

/** Returns for each scenario the one check that has the same name. */
const named = (...scenarios: string[]) =>
  Object.fromEntries(scenarios.map((name) => [name, [name]]));

const exemptions: readonly Exemption[] = [
  {
    reason: 'call a tool of a fixed name, which only the servers of SDKs have',
    checks: {
      ...named(
        ...['tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-error'],
        ...['tools-call-embedded-resource', 'tools-call-mixed-content', 'tools-call-with-progress'],
      ),
      'json-schema-2020-12': ['json-schema-2020-12-tool-found'],
    },
  },
  {
    reason: 'read a resource of a fixed address',
    checks: named('resources-read-text', 'resources-read-binary', 'resources-templates-read'),
  },
  {
    reason: 'prompts and completions are optional, and the server announces none',
    checks: named(
      ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'completion-complete'],
      ...['prompts-get-embedded-resource', 'prompts-get-with-image'],
    ),
  },
  {
    reason: 'prompts are optional',
    checks: { caching: ['sep-2549-prompts-list-caching-hints'] },
    revision: '2026-07-28',
  },
  {
    reason: 'log messages and subscriptions to resources are optional',
    checks: named(
      ...['logging-set-level', 'tools-call-with-logging'],
      ...['resources-subscribe', 'resources-unsubscribe'],
    ),
    revision: '2025-11-25',
  },
  {
    reason: 'call a tool of a fixed name that asks the client for its user or its model',
    checks: {
      ...named('tools-call-sampling', 'tools-call-elicitation'),
      'elicitation-sep1034-defaults': ['elicitation-sep1034-general'],
      'elicitation-sep1330-enums': ['elicitation-sep1330-general'],
    },
    revision: '2025-11-25',
  },
  {
    reason:
      'call a tool or a prompt of a fixed name that asks the client for its user, model or folders',
    checks: {
      'input-required-result-basic-elicitation': ['sep-2322-elicitation-incomplete'],
      'input-required-result-basic-sampling': ['sep-2322-sampling-incomplete'],
      'input-required-result-basic-list-roots': ['sep-2322-list-roots-incomplete'],
      'input-required-result-request-state': ['sep-2322-request-state-incomplete'],
      'input-required-result-multiple-input-requests': ['sep-2322-multiple-inputs-incomplete'],
      'input-required-result-multi-round': ['sep-2322-multi-round-r1'],
      'input-required-result-non-tool-request': ['sep-2322-non-tool-incomplete'],
      'input-required-result-result-type': ['sep-2322-result-type-included'],
      'input-required-result-tampered-state': ['sep-2322-reject-tampered-state'],
      'input-required-result-capability-check': ['sep-2322-respect-client-capabilities'],
      'server-stateless': [
        'sep-2575-server-rejects-undeclared-capability',
        'sep-2575-missing-capability-http-400',
        'sep-2575-http-server-no-independent-requests-on-stream',
        'sep-2575-server-no-log-without-loglevel',
      ],
    },
    revision: '2026-07-28',
  },
  {
    reason: 'no tool takes an argument from a header',
    checks: {
      'http-custom-header-server-validation': [
        'sep-2243-server-no-xmcp-tool',
        'sep-2243-server-decode-base64',
        'sep-2243-server-validate-param-match',
        'sep-2243-server-reject-invalid-param-chars',
        'sep-2243-server-reject-param-mismatch',
      ],
    },
    revision: '2026-07-28',
  },
];

/** Returns whether a scenario tests an extension of the protocol that the server does not support. */
export function isExtension(scenario: string): boolean {
  return scenario.startsWith('tasks-');
}

/** Returns the checks that a server without the optional features fails, by the name of their scenario. */
export function notApplicable(of: McpRevision): Record<string, readonly string[]> {
  return Object.assign(
    {},
    ...exemptions.filter(({ revision = of }) => revision === of).map(({ checks }) => checks),
  );
}
