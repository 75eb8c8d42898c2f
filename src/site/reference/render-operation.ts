import { type Html, html } from '../html.ts';
import { renderDescription } from '../markdown.ts';
import { guidesPath } from '../page.ts';
import { exampleOf } from './example.ts';
import type { Operation, Parameter, Response } from './openapi.ts';
import { exampleRequest, renderSamples } from './samples.ts';
import { renderParameters, renderSchema } from './schema-fields.ts';

/** Renders an operation: what it does, what it takes and returns, its errors, samples, and a form that sends it. */
export function renderOperation(operation: Operation): Html {
  const { operationId, summary, method, path, description } = operation;
  return html`<section class="operation" aria-labelledby="${operationId}">
<h2 id="${operationId}"><a class="anchor" href="#${operationId}">${summary}</a></h2>
<p class="route"><span class="method">${method}</span> <code>/api/v1${path}</code></p>
<div class="split">
<div>
${renderDescription(description)}
${renderInput(operation)}
${renderResponses(operation)}
</div>
<div class="aside">
${renderSamples(operation)}
${renderResponseExample(operation)}
${renderForm(operation)}
</div>
</div>
</section>`;
}

/** Renders an event that the service sends to webhooks. */
export function renderEvent(type: string, { summary, requestBody }: Operation): Html {
  const content = requestBody?.content['application/json'];
  return html`<section class="operation" aria-labelledby="${type}">
<h2 id="${type}"><a class="anchor" href="#${type}"><code>${type}</code></a></h2>
<div class="split">
<div>
${renderDescription(summary)}
${content !== undefined && renderSchema(content.schema, true)}
</div>
<div class="aside">${content?.example !== undefined && renderExample('Body', content.example)}</div>
</div>
</section>`;
}

function renderInput({ parameters, requestBody }: Operation): Html {
  const groups: readonly (readonly [string, readonly Parameter[]])[] = [
    ['Path', parameters.filter((entry) => entry.in === 'path')],
    ['Query', parameters.filter((entry) => entry.in === 'query')],
  ];
  const headers = parameters.filter((entry) => entry.in === 'header');
  const bodies = Object.entries(requestBody?.content ?? {});
  return html`${groups.map(([title, entries]) => entries.length > 0 && html`<h3>${title}</h3>${renderParameters(entries)}`)}
${bodies.map(([type, { schema }]) => {
  const fields = renderSchema(schema, false);
  return fields !== null && html`<h3>Body <small>${type}</small></h3>${fields}`;
})}
${headers.length > 0 && html`<details><summary>Headers</summary>${renderParameters(headers)}</details>`}`;
}

function renderResponses({ responses }: Operation): Html {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  return html`${successes.map(([status, response]) => renderSuccess(status, response))}
<details><summary>Errors: ${errors.map(([status]) => status).join(', ')}</summary>
<ul>${errors.map(([status, { description }]) => html`<li><strong>${status}</strong> ${renderDescription(description)}</li>`)}</ul>
<p><a href="${guidesPath}/reference/errors">All error codes</a></p>
</details>`;
}

function renderSuccess(status: string, { description, content = {} }: Response): Html {
  return html`<h3>Returns ${status}</h3>
<p>${description}</p>
${Object.entries(content).map(([type, { schema }]) => {
  const fields = renderSchema(schema, true);
  return (
    fields !== null && html`<details><summary><code>${type}</code></summary>${fields}</details>`
  );
})}`;
}

function renderResponseExample({ responses }: Operation): Html | null {
  const success = Object.entries(responses).find(([status]) => Number(status) < 400);
  const json = success?.[1].content?.['application/json'];
  if (json === undefined) return null;
  return renderExample('Response', json.example ?? exampleOf(json.schema));
}

function renderExample(title: string, example: unknown): Html {
  return html`<figure><figcaption>${title}</figcaption>
<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre></figure>`;
}

/** A form that the script of the page sends with the reader's key. Without scripts, it is hidden. */
function renderForm(operation: Operation): Html {
  const { method, path, parameters, operationId } = operation;
  const { body, file } = exampleRequest(operation);
  const inputs = parameters.filter((entry) => entry.in !== 'header');
  return html`<details class="try"><summary>Try it</summary>
<form data-method="${method}" data-path="/api/v1${path}" aria-label="Try it: ${operation.summary}">
${inputs.map((entry) => renderInputField(entry, operationId))}
${body !== null && html`<label>Body<textarea name="body" rows="6" spellcheck="false">${body}</textarea></label>`}
${file !== null && html`<label>File<input type="file" name="file" required></label>`}
<button type="submit">Send</button>
<button type="button" name="stop" hidden>Stop</button>
<output></output>
<pre tabindex="0" hidden><code></code></pre>
</form></details>`;
}

function renderInputField({ name, in: place, required = false }: Parameter, id: string): Html {
  return html`<label>${name}${!required && html` <small>optional</small>`}<input name="${place}:${name}" autocomplete="off" aria-describedby="${id}"${required && html` required`}></label>`;
}
