// fetch of the platform.
const { BASE_URL: base, API_KEY: key, ADMIN_TOKEN: token } = process.env;
const run = `${base}/v1/actors/message-relay/run-sync-get-dataset-items`;
const json = { 'Content-Type': 'application/json' };

async function call(method, url, headers, body) {
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  await response.text();
}

await call('GET', `${base}/v1/auth/verify`, { 'X-API-Key': key });
await call('GET', `${base}/v1/actors/message-relay`, { 'X-API-Key': key });
await call('POST', run, { 'X-API-Key': key, ...json }, { message: 'two words', copies: 2 });
await call('GET', `${base}/v1/auth/verify`, { 'X-API-Key': 'a-wrong-one' });
await call('POST', run, { 'X-API-Key': key, ...json }, { message: 'three more words', copies: 1 });
await call('PATCH', `${base}/v1/admin/keys/7`, { 'X-Admin-Token': token, ...json }, { tier: 'pro' });
await call('DELETE', `${base}/v1/admin/keys/7`, { 'X-Admin-Token': token });
