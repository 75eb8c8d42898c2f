// Script of the guides and the API reference: color scheme, menu, copy buttons, language of samples, "Try it".

const languageKey = 'grounded-chat-sample-language';
const apiKeyKey = 'grounded-chat-reference-key';

applyColorScheme();
if (matchMedia('(max-width: 52rem)').matches) document.querySelector('.menu').open = false;
addCopyButtons();
followLanguage();
connectTryForms();

/** Uses the color scheme that the reader has chosen in the dashboard. */
function applyColorScheme() {
  const scheme = read(localStorage, 'mantine-color-scheme-value');
  if (scheme === 'light' || scheme === 'dark') document.documentElement.style.colorScheme = scheme;
}

function addCopyButtons() {
  for (const pre of document.querySelectorAll('pre:not(.try pre)')) {
    const button = createButton('Copy');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(pre.textContent);
      showCopied(button);
    });
    const frame = document.createElement('div');
    frame.className = 'with-copy';
    pre.replaceWith(frame);
    frame.append(pre, button);
  }
}

function showCopied(button) {
  button.dataset.label ??= button.textContent;
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = button.dataset.label;
  }, 2_000);
}

/** Shows one language in all groups of samples. The buttons of a group change it everywhere. */
function followLanguage() {
  const groups = [...document.querySelectorAll('.samples')];
  const chosen = read(localStorage, languageKey);
  if (chosen !== null) choose(chosen);
  for (const button of document.querySelectorAll('.languages button')) {
    button.addEventListener('click', () => {
      const before = button.getBoundingClientRect().top;
      write(localStorage, languageKey, button.textContent);
      choose(button.textContent);
      scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
    });
  }

  function choose(language) {
    for (const group of groups) {
      for (const sample of group.querySelectorAll('[data-language]')) {
        sample.hidden = sample.dataset.language !== language;
      }
      for (const button of group.querySelectorAll('.languages button')) {
        button.setAttribute('aria-pressed', String(button.textContent === language));
      }
    }
  }
}

/** Sends the forms with the key of the reader. The key is kept until the tab is closed. */
function connectTryForms() {
  const key = document.querySelector('#key');
  if (key === null) return;
  key.value = read(sessionStorage, apiKeyKey) ?? '';
  key.addEventListener('change', () => write(sessionStorage, apiKeyKey, key.value.trim()));
  // The samples name the service and the key by these variables.
  const copy = document.querySelector('#copy-variables');
  copy.addEventListener('click', async () => {
    const lines = [
      `export GROUNDED_CHAT_URL=${location.origin}`,
      `export GROUNDED_CHAT_KEY=${key.value.trim() || 'sk_…'}`,
    ];
    await navigator.clipboard.writeText(lines.join('\n'));
    showCopied(copy);
  });
  for (const form of document.querySelectorAll('.try form')) {
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (key.value.trim() === '') {
        form.querySelector('output').textContent = 'Enter an API key at the top of the page first.';
        return;
      }
      await send(form, key.value.trim());
    });
  }
}

/** Sends the request of a form and shows the response, a stream while it arrives. */
async function send(form, key) {
  const [output, pre] = [form.querySelector('output'), form.querySelector('pre')];
  const [submit, stop] = [form.querySelector('[type=submit]'), form.querySelector('[name=stop]')];
  const controller = new AbortController();
  const startedAt = performance.now();
  stop.onclick = () => controller.abort();
  setBusy(true);
  output.textContent = 'Sending …';
  pre.hidden = true;
  try {
    const response = await fetch(addressOf(form), {
      method: form.dataset.method,
      headers: headersOf(form, key),
      body: bodyOf(form),
      signal: controller.signal,
    });
    output.textContent = `${response.status} ${response.statusText}`;
    pre.hidden = false;
    await showBody(response, pre.firstElementChild);
    output.textContent += `, ${Math.round(performance.now() - startedAt)} ms`;
  } catch (error) {
    output.textContent = controller.signal.aborted ? 'Stopped.' : `No response: ${error.message}`;
  } finally {
    setBusy(false);
  }

  function setBusy(isBusy) {
    submit.disabled = isBusy;
    stop.hidden = !isBusy;
  }
}

async function showBody(response, code) {
  code.textContent = '';
  if (response.headers.get('Content-Type')?.startsWith('application/json')) {
    code.textContent = JSON.stringify(await response.json(), null, 2);
    return;
  }
  const decoder = new TextDecoder();
  for (let reader = response.body.getReader(), part = {}; !part.done; ) {
    part = await reader.read();
    if (!part.done) code.textContent += decoder.decode(part.value, { stream: true });
  }
}

function addressOf(form) {
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const { name, value } of form.elements) {
    const [place, field] = name.split(':');
    if (place === 'path') path = path.replace(`{${field}}`, encodeURIComponent(value.trim()));
    if (place === 'query' && value.trim() !== '') query.append(field, value.trim());
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

function headersOf(form, key) {
  const headers = { Authorization: `Bearer ${key}` };
  return form.elements.body ? { ...headers, 'Content-Type': 'application/json' } : headers;
}

function bodyOf(form) {
  if (form.elements.body) return form.elements.body.value;
  if (!form.elements.file) return undefined;
  const data = new FormData();
  data.set('file', form.elements.file.files[0]);
  return data;
}

function createButton(text) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  return button;
}

/** The browser may block storage. */
function read(storage, name) {
  try {
    return storage.getItem(name);
  } catch {
    return null;
  }
}

function write(storage, name, value) {
  try {
    storage.setItem(name, value);
  } catch {
    // The choice lasts for this page.
  }
}
