/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.telemetry.otlp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** A collector that keeps what it is sent, decoded by the schema of OTLP. */
public final class OtlpCollector implements AutoCloseable {
    private final HttpServer server;
    private final List<Received<Span>> spans = new ArrayList<>();
    private final Map<String, Received<Metric>> metrics = new LinkedHashMap<>();
    private volatile int status = 200;

    /** @param resource its attributes, as text */
    public record Received<T>(Map<String, String> resource, T value) {}

    private OtlpCollector(HttpServer server) {
        this.server = server;
    }

    public static OtlpCollector start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        OtlpCollector collector = new OtlpCollector(server);
        server.createContext("/v1/traces", exchange -> collector.answer(exchange, collector::traces));
        server.createContext("/v1/metrics", exchange -> collector.answer(exchange, collector::metrics));
        server.start();
        return collector;
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** What requests are answered from now on; only those with 200 are kept. */
    public void answer(int code) {
        status = code;
    }

    private interface Reader {
        void read(InputStream body) throws IOException;
    }

    private void answer(HttpExchange exchange, Reader reader) throws IOException {
        try (exchange) {
            boolean isPacked = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            InputStream body = exchange.getRequestBody();
            if (status == 200) {
                reader.read(isPacked ? new GZIPInputStream(body) : body);
            }
            exchange.sendResponseHeaders(status, -1);
        }
    }

    private synchronized void traces(InputStream body) throws IOException {
        ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().forEach(of -> of.getScopeSpansList()
                .forEach(scope -> scope.getSpansList().forEach(span -> spans.add(received(of.getResource(), span)))));
    }

    private synchronized void metrics(InputStream body) throws IOException {
        ExportMetricsServiceRequest.parseFrom(body).getResourceMetricsList().forEach(of -> of.getScopeMetricsList()
                .forEach(scope -> scope.getMetricsList()
                        .forEach(metric -> metrics.put(metric.getName(), received(of.getResource(), metric)))));
    }

    private static <T> Received<T> received(Resource resource, T value) {
        return new Received<>(attributes(resource.getAttributesList()), value);
    }

    /** Names and values, as text. */
    public static Map<String, String> attributes(List<KeyValue> list) {
        Map<String, String> attributes = new LinkedHashMap<>();
        list.forEach(attribute -> attributes.put(attribute.getKey(), text(attribute.getValue())));
        return attributes;
    }

    private static String text(AnyValue value) {
        return switch (value.getValueCase()) {
            case INT_VALUE -> Long.toString(value.getIntValue());
            case DOUBLE_VALUE -> Double.toString(value.getDoubleValue());
            default -> value.getStringValue();
        };
    }

    /** In the order in which they came. */
    public synchronized List<Received<Span>> spans() {
        return List.copyOf(spans);
    }

    /** The newest of each name. */
    public synchronized Map<String, Received<Metric>> metrics() {
        return Map.copyOf(metrics);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
