"""httpx, with one client for the whole job."""

import os

import httpx

BASE = os.environ["BASE_URL"]
KEY = {"X-API-Key": os.environ["API_KEY"]}
TOKEN = {"X-Admin-Token": os.environ["ADMIN_TOKEN"]}
RUN = f"{BASE}/v1/actors/message-relay/run-sync-get-dataset-items"

with httpx.Client() as client:
    client.get(f"{BASE}/v1/auth/verify", headers=KEY)
    client.get(f"{BASE}/v1/actors/message-relay", headers=KEY)
    client.post(RUN, headers=KEY, json={"message": "two words", "copies": 2})
    client.get(f"{BASE}/v1/auth/verify", headers={"X-API-Key": "a-wrong-one"})
    client.post(RUN, headers=KEY, json={"message": "three more words", "copies": 1})
    client.patch(f"{BASE}/v1/admin/keys/7", headers=TOKEN, json={"tier": "pro"})
    client.delete(f"{BASE}/v1/admin/keys/7", headers=TOKEN)
