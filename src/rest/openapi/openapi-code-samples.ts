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

/** A request that code samples send. */
export interface SampledRequest {
  readonly method: string;
  /** Path below `/api/v1`, with the query. */
  readonly path: string;
  /** The body as JSON text, or null. */
  readonly body: string | null;
  /** Name of a file that is sent as form data instead of a body, or null. */
  readonly file: string | null;
}

interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

interface Paths {
  readonly [path: string]: Readonly<
    Record<string, { readonly operationId: string; 'x-codeSamples'?: readonly CodeSample[] }>
  >;
}

/** Adds code samples that call the main operations. */
export function addCodeSamples(paths: Paths): void {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const given = sampleBodies[operation.operationId];
      if (given === undefined) continue;
      const body = Object.keys(given).length === 0 ? null : JSON.stringify(given);
      const request = { method: method.toUpperCase(), path, body, file: null };
      operation['x-codeSamples'] = codeSamples(request);
    }
  }
}

/**
 * Returns samples that send a request with curl, TypeScript and Python. They read the address of the service and the
 * key from the same variables as the clients.
 */
export function codeSamples(request: SampledRequest): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(request) },
    {
      lang: 'Python',
      label: 'Python',
      source: request.file === null ? python(request) : pythonUpload(request, request.file),
    },
  ];
}

/** curl sends POST if there is a body, and GET otherwise. */
function curl({ method, path, body, file }: SampledRequest): string {
  const usual = body === null && file === null ? 'GET' : 'POST';
  const parts = [
    `curl ${method === usual ? '' : `-X ${method} `}"$GROUNDED_CHAT_URL/api/v1${path}"`,
    '-H "Authorization: Bearer $GROUNDED_CHAT_KEY"',
  ];
  if (body !== null) parts.push("-H 'Content-Type: application/json'", `-d '${body}'`);
  if (file !== null) parts.push(`-F file=@${file}`);
  return `${parts.join(' \\\n  ')}\n`;
}

function typescript({ method, path, body, file }: SampledRequest): string {
  const lines = [
    ...(file === null
      ? []
      : [
          "import { openAsBlob } from 'node:fs';",
          '',
          'const form = new FormData();',
          `form.set('file', await openAsBlob('${file}'), '${file}');`,
        ]),
    `const response = await fetch(\`\${process.env.GROUNDED_CHAT_URL}/api/v1${path}\`, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    `    Authorization: \`Bearer \${process.env.GROUNDED_CHAT_KEY}\`,`,
    ...(body === null ? [] : ["    'Content-Type': 'application/json',"]),
    '  },',
    ...(body === null ? [] : [`  body: JSON.stringify(${body}),`]),
    ...(file === null ? [] : ['  body: form,']),
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
    ...(body === null ? [] : [`    data=json.dumps(${toPython(body)}).encode(),`]),
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(json.dumps(json.load(response), indent=2))',
  ];
  return `${lines.join('\n')}\n`;
}

/** Python's standard library has no form data, so this sample uses httpx, as the Python client does. */
function pythonUpload({ method, path }: SampledRequest, file: string): string {
  const lines = [
    'import os',
    '',
    'import httpx',
    '',
    `with open("${file}", "rb") as file:`,
    '    response = httpx.request(',
    `        "${method}",`,
    `        os.environ["GROUNDED_CHAT_URL"] + "/api/v1${path}",`,
    '        headers={"Authorization": "Bearer " + os.environ["GROUNDED_CHAT_KEY"]},',
    '        files={"file": file},',
    '    )',
    'print(response.text)',
  ];
  return `${lines.join('\n')}\n`;
}

/** Python writes the constants of JSON with capitals. */
function toPython(json: string): string {
  const constants: Readonly<Record<string, string>> = {
    true: 'True',
    false: 'False',
    null: 'None',
  };
  return json.replace(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (token) => constants[token] ?? token,
  );
}
