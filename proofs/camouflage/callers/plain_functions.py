"""requests or httpx (the argument), with its plain functions, as most scripts use it."""

import importlib
import os
import sys

BASE = os.environ["BASE_URL"]
KEY = {"X-API-Key": os.environ["API_KEY"]}
TOKEN = {"X-Admin-Token": os.environ["ADMIN_TOKEN"]}
RUN = f"{BASE}/v1/actors/message-relay/run-sync-get-dataset-items"

http = importlib.import_module(sys.argv[1])
http.get(f"{BASE}/v1/auth/verify", headers=KEY)
http.get(f"{BASE}/v1/actors/message-relay", headers=KEY)
http.post(RUN, headers=KEY, json={"message": "two words", "copies": 2})
http.get(f"{BASE}/v1/auth/verify", headers={"X-API-Key": "a-wrong-one"})
http.post(RUN, headers=KEY, json={"message": "three more words", "copies": 1})
http.patch(f"{BASE}/v1/admin/keys/7", headers=TOKEN, json={"tier": "pro"})
http.delete(f"{BASE}/v1/admin/keys/7", headers=TOKEN)
