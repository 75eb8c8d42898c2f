// Script of the pages with "Try it": creates keys for a reader who is signed in to the dashboard and is an owner or
// admin. A key is valid for one hour and for one project, which the reader chooses if there are several.

const place = document.querySelector('#session-key');
const [button, output] = [place.querySelector('button'), place.querySelector('output')];
button.addEventListener('click', start);

async function start() {
  button.disabled = true;
  try {
    const token = await readSessionToken();
    const projects = token === null ? [] : await readManagedProjects(token);
    if (token === null) output.textContent = 'Sign in to the dashboard first.';
    else if (projects.length === 0) output.textContent = 'Only owners and admins create keys.';
    else if (projects.length === 1) await create(token, projects[0]);
    else {
      const choices = projects.map((project) => {
        const choice = document.createElement('button');
        Object.assign(choice, { type: 'button', textContent: project.name });
        choice.addEventListener('click', () => create(token, project).catch(showError));
        return choice;
      });
      output.replaceChildren('For which project? ', ...choices);
    }
  } catch (error) {
    showError(error);
  } finally {
    button.disabled = false;
  }
}

async function create(token, { id, organizationId, name }) {
  const input = {
    ...{ organizationId, projectId: id, name: 'API reference, one hour' },
    scopes: place.dataset.scopes.split(' '),
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const mutation = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }`;
  const { createApiKey } = await askGraphql(token, mutation, { input });
  const key = document.querySelector('#key');
  key.value = createApiKey.secret;
  key.dispatchEvent(new Event('change'));
  output.textContent = `The key of ${name} is entered above.`;
}

function showError(error) {
  output.textContent = `No key was created: ${error.message}`;
}

/** Returns an access token for the session of the browser's cookie. Returns null without a session. */
async function readSessionToken() {
  const response = await postJson('/dashboard/session/token', {});
  return response.ok ? (await response.json()).accessToken : null;
}

/** Returns the projects for which the reader may create keys. */
async function readManagedProjects(token) {
  const query = `{ me { memberships { role organization { id projects(first: 100) { edges { node { id name } } } } } } }`;
  const { me } = await askGraphql(token, query, {});
  return me.memberships
    .filter(({ role }) => role === 'OWNER' || role === 'ADMIN')
    .flatMap(({ organization: { id, projects } }) =>
      projects.edges.map(({ node }) => ({ ...node, organizationId: id })),
    );
}

async function askGraphql(token, query, variables) {
  const { data, errors } = await (await postJson('/graphql', { query, variables }, token)).json();
  if (errors) throw new Error(errors[0].message);
  return data;
}

function postJson(path, body, token) {
  const headers = {
    'Content-Type': 'application/json',
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
}
