// java.net.http, with one client that speaks HTTP/1.1.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

public class JavaNet {
  static final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  static final String base = System.getenv("BASE_URL");

  static void call(String method, String path, String field, String value, String body) throws Exception {
    BodyPublisher publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path)).header(field, value);
    if (body != null) request.header("Content-Type", "application/json");
    if (method.equals("GET")) request.GET();
    else if (method.equals("DELETE")) request.DELETE();
    else request.method(method, publisher);
    client.send(request.build(), BodyHandlers.ofString());
  }

  public static void main(String[] words) throws Exception {
    String key = System.getenv("API_KEY");
    String token = System.getenv("ADMIN_TOKEN");
    String run = "/v1/actors/message-relay/run-sync-get-dataset-items";
    call("GET", "/v1/auth/verify", "X-API-Key", key, null);
    call("GET", "/v1/actors/message-relay", "X-API-Key", key, null);
    call("POST", run, "X-API-Key", key, "{\"message\":\"two words\",\"copies\":2}");
    call("GET", "/v1/auth/verify", "X-API-Key", "a-wrong-one", null);
    call("POST", run, "X-API-Key", key, "{\"message\":\"three more words\",\"copies\":1}");
    call("PATCH", "/v1/admin/keys/7", "X-Admin-Token", token, "{\"tier\":\"pro\"}");
    call("DELETE", "/v1/admin/keys/7", "X-Admin-Token", token, null);
  }
}
