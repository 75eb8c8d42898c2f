/**
 * Bodies of the operations that have code samples. An operation without a body has an empty object here. The question
 * is about the document of the demo project, so that the demo project can answer it from that document.
 */
export const sampleBodies: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  sendMessage: { message: 'Which files can I upload?' },
  createDocument: { name: 'Returns', content: 'You can send an item back within 30 days.' },
  listDocuments: {},
  searchKnowledge: { query: 'file formats', limit: 3 },
  listConversations: {},
  requestHandoff: {
    conversationId: '01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11',
    reason: 'Damaged item',
  },
  getUsage: {},
};

interface SampledRequest {
  readonly method: string;
  readonly path: string;
  /** The body as JSON text, or null. */
  readonly body: string | null;
}

interface Paths {
  readonly [path: string]: Readonly<
    Record<string, { readonly operationId: string; 'x-codeSamples'?: readonly object[] }>
  >;
}

/**
 * Adds code samples that call the main operations. The samples read the address of the service and the key from the
 * same variables as the clients.
 */
export function addCodeSamples(paths: Paths): void {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const given = sampleBodies[operation.operationId];
      if (given === undefined) continue;
      const body = Object.keys(given).length === 0 ? null : JSON.stringify(given);
      const request = { method: method.toUpperCase(), path, body };
      operation['x-codeSamples'] = [
        { lang: 'Shell', label: 'curl', source: curl(request) },
        { lang: 'TypeScript', label: 'TypeScript', source: typescript(request) },
        { lang: 'Python', label: 'Python', source: python(request) },
      ];
    }
  }
}

/** curl sends POST if there is a body, and GET otherwise. */
function curl({ path, body }: SampledRequest): string {
  const parts = [
    `curl "$GROUNDED_CHAT_URL/api/v1${path}"`,
    '-H "Authorization: Bearer $GROUNDED_CHAT_KEY"',
  ];
  if (body !== null) parts.push("-H 'Content-Type: application/json'", `-d '${body}'`);
  return `${parts.join(' \\\n  ')}\n`;
}

function typescript({ method, path, body }: SampledRequest): string {
  const lines = [
    `const response = await fetch(\`\${process.env.GROUNDED_CHAT_URL}/api/v1${path}\`, {`,
    ...(body === null ? [] : [`  method: '${method}',`]),
    '  headers: {',
    `    Authorization: \`Bearer \${process.env.GROUNDED_CHAT_KEY}\`,`,
    ...(body === null ? [] : ["    'Content-Type': 'application/json',"]),
    '  },',
    ...(body === null ? [] : [`  body: JSON.stringify(${body}),`]),
    '});',
    'console.log(JSON.stringify(await response.json(), null, 2));',
  ];
  return `${lines.join('\n')}\n`;
}

function python({ method, path, body }: SampledRequest): string {
  const lines = [
    'import json',
    'import os',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    os.environ["GROUNDED_CHAT_URL"] + "/api/v1${path}",`,
    '    headers={',
    '        "Authorization": "Bearer " + os.environ["GROUNDED_CHAT_KEY"],',
    ...(body === null ? [] : ['        "Content-Type": "application/json",']),
    '    },',
    ...(body === null ? [] : [`    data=json.dumps(${body}).encode(),`, `    method="${method}",`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(json.dumps(json.load(response), indent=2))',
  ];
  return `${lines.join('\n')}\n`;
}
