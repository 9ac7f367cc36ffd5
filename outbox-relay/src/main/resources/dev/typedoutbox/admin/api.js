// Requests to this page's own server. A header of ours shows that a change comes from here and not from another site.

export async function get(path, parameters = {}) {
  const query = new URLSearchParams(parameters).toString();
  return answer(await request(query === '' ? path : `${path}?${query}`, {}));
}

export async function post(path, body = {}) {
  return answer(await request(path, {
    method: 'POST',
    headers: {'Content-Type': 'application/json', 'X-Outbox-Admin': 'page'},
    body: JSON.stringify(body),
  }));
}

async function request(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    throw new Error('The server of this page cannot be reached.');
  }
}

async function answer(response) {
  if (response.status === 401) {
    location.assign('login');
  }
  const body = response.status === 204 ? {} : await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Error(body.error ?? `The server answered ${response.status}.`);
  }
  return body;
}
