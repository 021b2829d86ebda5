// net/http, with its default client.
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
)

type input struct {
	Message string `json:"message"`
	Copies  int    `json:"copies"`
}

type change struct {
	Tier string `json:"tier"`
}

func call(method, url, field, value string, body any) {
	var reader io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			panic(err)
		}
		reader = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, url, reader)
	if err != nil {
		panic(err)
	}
	request.Header.Set(field, value)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	if _, err := io.ReadAll(response.Body); err != nil {
		panic(err)
	}
}

func main() {
	base, key, token := os.Getenv("BASE_URL"), os.Getenv("API_KEY"), os.Getenv("ADMIN_TOKEN")
	run := base + "/v1/actors/message-relay/run-sync-get-dataset-items"
	call("GET", base+"/v1/auth/verify", "X-API-Key", key, nil)
	call("GET", base+"/v1/actors/message-relay", "X-API-Key", key, nil)
	call("POST", run, "X-API-Key", key, input{"two words", 2})
	call("GET", base+"/v1/auth/verify", "X-API-Key", "a-wrong-one", nil)
	call("POST", run, "X-API-Key", key, input{"three more words", 1})
	call("PATCH", base+"/v1/admin/keys/7", "X-Admin-Token", token, change{"pro"})
	call("DELETE", base+"/v1/admin/keys/7", "X-Admin-Token", token, nil)
}
