/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A page in the browser. Calls come from the test's thread; what the browser reports comes on another. */
public final class Tab implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Map<String, Integer> KEYS = Map.of(
            "Tab", 9, "Enter", 13, "Escape", 27, "ArrowLeft", 37, "ArrowUp", 38, "ArrowRight", 39, "ArrowDown", 40);

    private final AtomicInteger count = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private @Nullable WebSocket socket;

    private Tab() {}

    static Tab connect(HttpClient http, URI address) {
        Tab tab = new Tab();
        tab.socket =
                http.newWebSocketBuilder().buildAsync(address, tab.new Ear()).join();
        List.of("Page.enable", "Runtime.enable", "Log.enable", "Accessibility.enable")
                .forEach(domain -> tab.call(domain, JSON.createObjectNode()));
        return tab;
    }

    /** Errors on the console, exceptions that nobody caught, and files that were not there. */
    public List<String> problems() {
        return problems;
    }

    public void size(int width, int height) {
        call(
                "Emulation.setDeviceMetricsOverride",
                JSON.createObjectNode()
                        .put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", false));
    }

    /** As a person's system prefers it. */
    public void dark(boolean dark) {
        ObjectNode parameters = JSON.createObjectNode();
        parameters
                .putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", dark ? "dark" : "light");
        call("Emulation.setEmulatedMedia", parameters);
    }

    /** As a person who goes on past the warning that the certificate's authority is not known. */
    public void trust() {
        call("Security.setIgnoreCertificateErrors", JSON.createObjectNode().put("ignore", true));
    }

    public void go(String url) {
        call("Page.navigate", JSON.createObjectNode().put("url", url));
        await("document.readyState === 'complete'");
    }

    /** The value of an expression; a promise's when it is kept. */
    public JsonNode evaluate(String script) {
        JsonNode answer = call(
                "Runtime.evaluate",
                JSON.createObjectNode()
                        .put("expression", script)
                        .put("returnByValue", true)
                        .put("awaitPromise", true));
        if (answer.has("exceptionDetails")) {
            throw new AssertionError(script + ": " + answer.path("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    public String text(String selector) {
        return evaluate("document.querySelector('" + selector + "').textContent")
                .asText();
    }

    /** Until the expression is true. */
    public void await(String script) {
        Awaitility.await(script)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(() -> evaluate("Boolean(" + script + ")").asBoolean());
    }

    public void click(String selector) {
        evaluate("document.querySelector('" + selector + "').click()");
    }

    /** A key that a person presses, by its name. */
    public void press(String key) {
        for (String type : List.of("keyDown", "keyUp")) {
            ObjectNode event = JSON.createObjectNode()
                    .put("type", type)
                    .put("key", key)
                    .put("code", key)
                    .put("windowsVirtualKeyCode", KEYS.getOrDefault(key, 0));
            if (key.equals("Enter")) {
                event.put("text", "\r");
            }
            call("Input.dispatchKeyEvent", event);
        }
    }

    public void type(String text) {
        call("Input.insertText", JSON.createObjectNode().put("text", text));
    }

    /** Of everything a person can act on: its role and the name that a screen reader reads. */
    public List<String> interactive() {
        List<String> found = new ArrayList<>();
        for (JsonNode node :
                call("Accessibility.getFullAXTree", JSON.createObjectNode()).path("nodes")) {
            boolean focusable = false;
            for (JsonNode property : node.path("properties")) {
                focusable |= property.path("name").asText().equals("focusable")
                        && property.at("/value/value").asBoolean();
            }
            String role = node.at("/role/value").asText();
            if (focusable
                    && !role.equals("RootWebArea")
                    && !node.path("ignored").asBoolean()) {
                found.add(role + ": " + node.at("/name/value").asText());
            }
        }
        return found;
    }

    /** The names that a screen reader reads of everything with that role. */
    public List<String> named(String role) {
        List<String> found = new ArrayList<>();
        for (JsonNode node :
                call("Accessibility.getFullAXTree", JSON.createObjectNode()).path("nodes")) {
            if (node.at("/role/value").asText().equals(role)
                    && !node.path("ignored").asBoolean()) {
                found.add(node.at("/name/value").asText());
            }
        }
        return found;
    }

    /** All of the page as PNG. */
    public byte[] picture() {
        double height = evaluate("document.documentElement.scrollHeight").asDouble();
        double width = evaluate("document.documentElement.clientWidth").asDouble();
        ObjectNode parameters = JSON.createObjectNode().put("format", "png").put("captureBeyondViewport", true);
        parameters
                .putObject("clip")
                .put("x", 0)
                .put("y", 0)
                .put("width", width)
                .put("height", height)
                .put("scale", 1);
        return Base64.getDecoder()
                .decode(call("Page.captureScreenshot", parameters).path("data").asText());
    }

    private JsonNode call(String method, ObjectNode parameters) {
        int id = count.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", parameters);
        WebSocket open = socket;
        if (open == null) {
            throw new IllegalStateException("cannot call " + method + " before the page is open");
        }
        open.sendText(message.toString(), true).join();
        return answer.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
    }

    private final class Ear implements WebSocket.Listener {
        private final StringBuilder part = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
            part.append(text);
            if (last) {
                receive(part.toString());
                part.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void receive(String text) {
            JsonNode message;
            try {
                message = JSON.readTree(text);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(text, e);
            }
            CompletableFuture<JsonNode> waiting =
                    answers.remove(message.path("id").asInt(-1));
            if (waiting != null) {
                if (message.has("error")) {
                    waiting.completeExceptionally(
                            new IllegalStateException(message.path("error").toString()));
                } else {
                    waiting.complete(message.path("result"));
                }
                return;
            }
            JsonNode reported = message.path("params");
            switch (message.path("method").asText()) {
                case "Runtime.exceptionThrown" ->
                    problems.add(reported.path("exceptionDetails").toString());
                case "Log.entryAdded" -> {
                    if (reported.at("/entry/level").asText().equals("error")) {
                        problems.add(reported.path("entry").toString());
                    }
                }
                case "Runtime.consoleAPICalled" -> {
                    if (List.of("error", "warning", "assert")
                            .contains(reported.path("type").asText())) {
                        problems.add(reported.path("args").toString());
                    }
                }
                default -> {}
            }
        }
    }
}
