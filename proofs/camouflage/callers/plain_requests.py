"""requests, with its plain functions, as most scripts use it."""

import os

import requests

BASE = os.environ["BASE_URL"]
KEY = {"X-API-Key": os.environ["API_KEY"]}
TOKEN = {"X-Admin-Token": os.environ["ADMIN_TOKEN"]}
RUN = f"{BASE}/v1/actors/message-relay/run-sync-get-dataset-items"

requests.get(f"{BASE}/v1/auth/verify", headers=KEY)
requests.get(f"{BASE}/v1/actors/message-relay", headers=KEY)
requests.post(RUN, headers=KEY, json={"message": "two words", "copies": 2})
requests.get(f"{BASE}/v1/auth/verify", headers={"X-API-Key": "a-wrong-one"})
requests.post(RUN, headers=KEY, json={"message": "three more words", "copies": 1})
requests.patch(f"{BASE}/v1/admin/keys/7", headers=TOKEN, json={"tier": "pro"})
requests.delete(f"{BASE}/v1/admin/keys/7", headers=TOKEN)
