/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The run as events: the picture whenever it has changed, and a sign of life when it has not. One thread for each page
 * that is open.
 */
final class LiveRoute implements HttpListener.Route, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveRoute.class);
    private static final String TYPE = "text/event-stream";
    private static final int MAX_PAGES = 16;
    private static final long LOOK_MILLIS = 500;
    private static final int LOOKS_PER_BEAT = 6;

    private static final long CLOSE_WAIT_MILLIS = 1000;

    private final PageSource source;
    private final Semaphore pages = new Semaphore(MAX_PAGES);
    private final CountDownLatch closed = new CountDownLatch(1);

    LiveRoute(PageSource source) {
        this.source = source;
    }

    @Override
    public void answer(Exchange exchange) throws IOException {
        if (exchange.method().equals("HEAD")) {
            exchange.answer(Exchange.OK, TYPE, new byte[0]);
            return;
        }
        if (!pages.tryAcquire()) {
            exchange.answerText(Exchange.BUSY, MAX_PAGES + " pages are open (expected: fewer, close one)");
            return;
        }
        try (OutputStream out = exchange.stream(TYPE)) {
            out.write("retry: 1000\n\n".getBytes(StandardCharsets.US_ASCII));
            stream(out);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            pages.release();
        }
    }

    private void stream(OutputStream out) throws IOException, InterruptedException {
        RunPicture sent = null;
        int quiet = 0;
        do {
            RunPicture now = source.picture();
            if (isNews(sent, now)) {
                send(out, "run", RunPicture.JSON.writeValueAsString(now));
                sent = now;
                quiet = 0;
            } else if (++quiet == LOOKS_PER_BEAT) {
                send(out, "beat", Long.toString(now.now()));
                quiet = 0;
            }
        } while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        RunPicture last = source.picture();
        if (isNews(sent, last)) {
            send(out, "run", RunPicture.JSON.writeValueAsString(last));
        }
        send(out, "end", "");
    }

    private static boolean isNews(@Nullable RunPicture sent, RunPicture now) {
        return sent == null || !now.equals(sent.at(now.now()));
    }

    private static void send(OutputStream out, String event, String data) throws IOException {
        out.write(("event: " + event + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Sends to all pages how the run ended, marked as the last message; waits a moment until they received it. */
    @Override
    public void close() {
        closed.countDown();
        try {
            if (!pages.tryAcquire(MAX_PAGES, CLOSE_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.debug("a page did not receive the end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
