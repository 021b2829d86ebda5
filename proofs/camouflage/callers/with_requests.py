"""requests, with one session for the whole job."""

import os

import requests

BASE = os.environ["BASE_URL"]
KEY = {"X-API-Key": os.environ["API_KEY"]}
TOKEN = {"X-Admin-Token": os.environ["ADMIN_TOKEN"]}
RUN = f"{BASE}/v1/actors/message-relay/run-sync-get-dataset-items"

with requests.Session() as session:
    session.get(f"{BASE}/v1/auth/verify", headers=KEY)
    session.get(f"{BASE}/v1/actors/message-relay", headers=KEY)
    session.post(RUN, headers=KEY, json={"message": "two words", "copies": 2})
    session.get(f"{BASE}/v1/auth/verify", headers={"X-API-Key": "a-wrong-one"})
    session.post(RUN, headers=KEY, json={"message": "three more words", "copies": 1})
    session.patch(f"{BASE}/v1/admin/keys/7", headers=TOKEN, json={"tier": "pro"})
    session.delete(f"{BASE}/v1/admin/keys/7", headers=TOKEN)
