/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The page about a run that has ended: the same as its agents served, with what workers wrote in place of actions. It
 * needs no key.
 *
 * @param files what workers wrote
 * @param curves what events have of them
 */
public record PastPage(@JsonUnwrapped RunPicture picture, List<LogFile> files, CurvePicture curves) {
    private static final String OVER = "Made from the files of the run; reload it to read them again.";

    public PastPage {
        files = List.copyOf(files);
    }

    /**
     * What one process of a worker wrote to one stream.
     *
     * @param name by which it is asked for
     * @param stream stdout or stderr
     */
    public record LogFile(String name, String node, int slot, int attempt, String stream, long bytes) {}

    /**
     * What is shown of such a file.
     *
     * @param note what of it is shown
     */
    public record LogText(String note, String text) {}

    /** What makes a page when one is asked for. */
    @FunctionalInterface
    public interface Source {
        PastPage page() throws IOException;
    }

    /**
     * Answers a request for the page or a part of it.
     *
     * @param part below the address of the page, without a slash before it
     */
    public static void answer(Exchange exchange, String part, Source source) throws IOException {
        if (part.equals("api/live") && exchange.reads()) {
            String events = "event: run\ndata: " + source.page().json() + "\n\nevent: end\ndata: " + OVER + "\n\n";
            exchange.answer(Exchange.OK, "text/event-stream", events.getBytes(StandardCharsets.UTF_8));
        } else if (part.equals("api/run") && exchange.reads()) {
            exchange.answerJson(Exchange.OK, source.page().json().getBytes(StandardCharsets.UTF_8));
        } else {
            PageFiles.answer(exchange, part);
        }
    }

    /** Answers a request for a file that the page is made of. */
    public static void answerFile(Exchange exchange, String name) throws IOException {
        PageFiles.answer(exchange, name);
    }

    /** Answers a request for a part of a log. */
    public static void answer(Exchange exchange, LogText text) throws IOException {
        exchange.answerJson(Exchange.OK, RunPicture.JSON.writeValueAsBytes(text));
    }

    String json() throws JsonProcessingException {
        return RunPicture.JSON.writeValueAsString(this);
    }
}
