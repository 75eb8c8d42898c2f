import { codeSamples, type SampledRequest } from '../../rest/openapi/openapi-code-samples.ts';
import { type Html, html } from '../html.ts';
import type { Operation } from './openapi.ts';

/** The content of a request that a reader can send as it is, if the ids in the path are replaced. */
export interface ExampleRequest {
  readonly body: string | null;
  /** Name of the field of the form that contains the file, or null. */
  readonly file: string | null;
}

/** Name of the file in samples that upload one. */
const sampleFile = 'handbook.pdf';

const formType = 'multipart/form-data';

/** Returns the example of the body, indented. An operation that accepts only form data has none. */
export function exampleRequest({ requestBody }: Operation): ExampleRequest {
  const json = requestBody?.content['application/json'];
  if (json === undefined) {
    return { body: null, file: requestBody?.content[formType] === undefined ? null : 'file' };
  }
  return { body: JSON.stringify(json.example ?? {}, null, 2), file: null };
}

/** Renders the samples of an operation. The page shows one language at a time, or all without scripts. */
export function renderSamples(operation: Operation): Html {
  const samples = codeSamples(sampledRequest(operation));
  return html`<div class="samples" role="group" aria-label="Code samples">
<div class="languages">${samples.map(({ label }, index) => html`<button type="button" aria-pressed="${String(index === 0)}">${label}</button>`)}</div>
${samples.map(
  (
    { label, source },
    index,
  ) => html`<figure data-language="${label}"${index > 0 && html` hidden`}><figcaption>${label}</figcaption>
<pre tabindex="0"><code>${source}</code></pre></figure>`,
)}
</div>`;
}

/** Returns the request that the samples of an operation send. */
export function sampledRequest(operation: Operation): SampledRequest {
  const { body, file } = exampleRequest(operation);
  const isOptional = operation.requestBody?.required !== true;
  return {
    method: operation.method,
    path: examplePath(operation),
    body: body === null || (isOptional && body === '{}') ? null : JSON.stringify(JSON.parse(body)),
    file: file === null ? null : sampleFile,
  };
}

/** Returns the path with examples of its parameters and of the required parameters of the query. */
function examplePath({ path, parameters }: Operation): string {
  const example = (name: string) =>
    encodeURIComponent(String(parameters.find((entry) => entry.name === name)?.example ?? name));
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => example(name));
  const required = parameters.filter((entry) => entry.in === 'query' && entry.required === true);
  const query = required.map(({ name }) => `${name}=${example(name)}`).join('&');
  return query === '' ? filled : `${filled}?${query}`;
}
