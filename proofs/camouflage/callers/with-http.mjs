// Node's own http module.
import { request } from 'node:http';

const { BASE_URL: base, API_KEY: key, ADMIN_TOKEN: token } = process.env;
const run = `${base}/v1/actors/message-relay/run-sync-get-dataset-items`;

function call(method, url, headers, body) {
  const text = body && JSON.stringify(body);
  const more = text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, ...more } }, (response) => {
      response.resume().on('end', resolve);
    });
    sent.on('error', reject).end(text);
  });
}

await call('GET', `${base}/v1/auth/verify`, { 'X-API-Key': key });
await call('GET', `${base}/v1/actors/message-relay`, { 'X-API-Key': key });
await call('POST', run, { 'X-API-Key': key }, { message: 'two words', copies: 2 });
await call('GET', `${base}/v1/auth/verify`, { 'X-API-Key': 'a-wrong-one' });
await call('POST', run, { 'X-API-Key': key }, { message: 'three more words', copies: 1 });
await call('PATCH', `${base}/v1/admin/keys/7`, { 'X-Admin-Token': token }, { tier: 'pro' });
await call('DELETE', `${base}/v1/admin/keys/7`, { 'X-Admin-Token': token });
