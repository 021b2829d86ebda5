#!/bin/sh
# curl, started anew for each request.
set -eu
key="X-API-Key: $API_KEY"
token="X-Admin-Token: $ADMIN_TOKEN"
json='Content-Type: application/json'
run="$BASE_URL/v1/actors/message-relay/run-sync-get-dataset-items"
curl --silent --header "$key" "$BASE_URL/v1/auth/verify"
curl --silent --header "$key" "$BASE_URL/v1/actors/message-relay"
curl --silent --header "$key" --header "$json" --data '{"message":"two words","copies":2}' "$run"
curl --silent --header 'X-API-Key: a-wrong-one' "$BASE_URL/v1/auth/verify"
curl --silent --header "$key" --header "$json" --data '{"message":"three more words","copies":1}' "$run"
curl --silent --request PATCH --header "$token" --header "$json" --data '{"tier":"pro"}' "$BASE_URL/v1/admin/keys/7"
curl --silent --request DELETE --header "$token" "$BASE_URL/v1/admin/keys/7"
