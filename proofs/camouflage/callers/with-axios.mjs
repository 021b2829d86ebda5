// axios, from the folder that it is installed in; one agent for the whole job, as Node's default is.
import { createRequire } from 'node:module';

const axios = createRequire(`${process.env.KIT}/`)('axios');
const { BASE_URL: base, API_KEY: key, ADMIN_TOKEN: token } = process.env;
const run = `${base}/v1/actors/message-relay/run-sync-get-dataset-items`;
const any = { validateStatus: () => true };
const ours = { headers: { 'X-API-Key': key }, ...any };
const admin = { headers: { 'X-Admin-Token': token }, ...any };

await axios.get(`${base}/v1/auth/verify`, ours);
await axios.get(`${base}/v1/actors/message-relay`, ours);
await axios.post(run, { message: 'two words', copies: 2 }, ours);
await axios.get(`${base}/v1/auth/verify`, { headers: { 'X-API-Key': 'a-wrong-one' }, ...any });
await axios.post(run, { message: 'three more words', copies: 1 }, ours);
await axios.patch(`${base}/v1/admin/keys/7`, { tier: 'pro' }, admin);
await axios.delete(`${base}/v1/admin/keys/7`, admin);
