/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.decisions.DecisionLine;
import dev.elasticrun.agent.events.EventFields;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends what happens in an agent to {@code events.jsonl}, one JSON object per line. Events are stamped on the calling
 * thread; the thread {@code event-log} makes text of them and writes it. A full disk or a slow one never reaches the
 * caller, it costs events, and how many is written when there is room again. Its files are {@link EventFile bounded}.
 * The thread also writes what the agent decides as the coordinator to {@code decisions.jsonl} beside it, and looks
 * whether there is room for what workers write.
 */
public final class EventLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);
    private static final int CAPACITY = 10_000;
    // Limit of one file of several.
    private static final long MAX_BYTES = 16L << 20;

    private static final long SPACE_SECONDS = 2;
    private static final long CLOSE_WAIT_MILLIS = 3000;
    // Each refers to the records of all nodes.
    private static final int MAX_WAITING_DECISIONS = 64;
    // The last entry: the thread sleeps until there is something to write, and ends with this.
    private static final Entry END = new Entry.End();

    /** What the thread has to write. */
    private sealed interface Entry {
        record Event(Stamp stamp, RunEvent event) implements Entry {}

        record Decision(DecisionLine line) implements Entry {}

        record End() implements Entry {}
    }

    /** Receives each event on the thread of the log, before it is written. */
    public interface Reader {
        /**
         * @param time of the event, which is also one of its fields, as text
         * @param fields those of the event's line
         */
        void event(Instant time, Map<String, @Nullable Object> fields);
    }

    /**
     * Whose events these are.
     *
     * @param node nodeId of the agent
     */
    public record Origin(String run, String incarnation, String node) {}

    /** @param nanos of the clock of which {@link System#nanoTime()} is one */
    private record Stamp(Origin from, long round, long incident, long nanos, Instant time) {}

    /** From now on events belong to this incarnation; it is empty until the agent has joined the run. */
    public void joined(String incarnation) {
        origin = new Origin(origin.run(), incarnation, origin.node());
    }

    private final EventFile file;
    private final DecisionFile decisions;
    private final AtomicInteger waitingDecisions = new AtomicInteger();
    private final LogSpace space;
    private volatile Origin origin;
    private final Clock clock;
    private final LongSupplier nanoClock;
    private final Reader reader;
    private final ObjectMapper json = new ObjectMapper();
    private final BlockingQueue<Entry> queue = new ArrayBlockingQueue<>(CAPACITY);
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong droppedEver = new AtomicLong();
    private final Thread thread;
    private volatile boolean closing;
    private boolean failing;

    private EventLog(Path file, Origin origin, Clock clock, LongSupplier nanoClock, Reader reader) throws IOException {
        this.reader = reader;
        this.origin = origin;
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.file = EventFile.open(file, MAX_BYTES, this::firstLine);
        this.decisions = new DecisionFile(file.resolveSibling(LogNames.DECISIONS));
        this.space = new LogSpace(
                file.toAbsolutePath(), free -> append(free ? new RunEvent.LogsWell() : new RunEvent.LogsFull(), 0, 0));
        this.thread = Daemons.of("event-log", this::run);
    }

    /**
     * Opens the file for appending and makes missing directories.
     *
     * @param clock for the field {@code time}, which is for display
     * @param nanoClock for the field {@code nanos}, as {@link System#nanoTime()}
     */
    public static EventLog open(Path file, Origin origin, Clock clock, LongSupplier nanoClock, Reader reader)
            throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(
                    parent, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        EventLog log = new EventLog(file, origin, clock, nanoClock, reader);
        log.thread.start();
        return log;
    }

    /**
     * Records an event. Never blocks and never throws.
     *
     * @param round the round it belongs to; 0 = none
     * @param incident the incident it belongs to; 0 = none
     */
    public void append(RunEvent event, long round, long incident) {
        if (closing || !queue.offer(new Entry.Event(stamp(round, incident), event))) {
            dropped.incrementAndGet();
            droppedEver.incrementAndGet();
        }
    }

    /**
     * Records a decision. Never blocks and never throws: it is made into text and written by the thread, and dropped when
     * many wait already.
     *
     * @param incident that it answers
     */
    public void append(PlannerCall call, long incident) {
        Origin from = origin;
        DecisionLine line = new DecisionLine(
                new DecisionLine.Stamp(from.run(), from.incarnation(), from.node(), incident, clock.instant()), call);
        if (waitingDecisions.incrementAndGet() > MAX_WAITING_DECISIONS
                || closing
                || !queue.offer(new Entry.Decision(line))) {
            waitingDecisions.decrementAndGet();
        }
    }

    private Stamp stamp(long round, long incident) {
        return new Stamp(origin, round, incident, nanoClock.getAsLong(), clock.instant());
    }

    private static Map<String, @Nullable Object> line(Stamp stamp, RunEvent event) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("schema", EventFields.SCHEMA);
        line.put("run", stamp.from().run());
        line.put("incarnation", stamp.from().incarnation());
        line.put("node", stamp.from().node());
        line.put("round", stamp.round());
        line.put("incident", stamp.incident() == 0 ? null : Long.toString(stamp.incident()));
        line.put("nanos", stamp.nanos());
        line.put("time", stamp.time().toString());
        line.put("kind", event.kind());
        line.putAll(EventFields.of(event));
        return line;
    }

    // The first line of a part of the log; its first field is the number of bytes before the part.
    private byte[] firstLine(long offset) {
        RunEvent event = new RunEvent.LogContinued(offset);
        Map<String, @Nullable Object> line = new LinkedHashMap<>(EventFields.of(event));
        line.putAll(line(stamp(0, 0), event));
        try {
            return (json.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + line, e);
        }
    }

    /** How many events are missing in the file so far. */
    public long dropped() {
        return droppedEver.get();
    }

    /** Writes what is queued; waits at most 3 s for a disk that hangs. */
    @Override
    public void close() {
        closing = true;
        try {
            if (queue.offer(END, CLOSE_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                thread.join(CLOSE_WAIT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (file;
                decisions) {
            while (true) {
                Entry entry = queue.poll(SPACE_SECONDS, TimeUnit.SECONDS);
                if (entry instanceof Entry.End) {
                    return;
                } else if (entry instanceof Entry.Event event) {
                    Map<String, @Nullable Object> line = line(event.stamp(), event.event());
                    report(event.stamp().time(), line);
                    write(line);
                } else if (entry instanceof Entry.Decision decision) {
                    waitingDecisions.decrementAndGet();
                    decisions.write(decision.line());
                }
                space.look(nanoClock.getAsLong());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("cannot close the event log", e);
        }
    }

    // The reader is a caller's own code.
    private void report(Instant time, Map<String, @Nullable Object> event) {
        try {
            reader.event(time, event);
        } catch (RuntimeException e) {
            LOG.warn("the listener failed at event {}", event.get("kind"), e);
        }
    }

    private void write(Map<String, @Nullable Object> event) {
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            event.put("events_dropped_before", lost);
        }
        try {
            // A write that failed may have left half a line.
            String text = (failing ? "\n" : "") + json.writeValueAsString(event) + "\n";
            file.append(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            failing = false;
        } catch (JsonProcessingException e) {
            LOG.warn("event {} cannot be written as JSON", event.get("kind"), e);
        } catch (IOException e) {
            dropped.addAndGet(lost + 1);
            droppedEver.incrementAndGet();
            if (!failing) {
                failing = true;
                LOG.warn("cannot write the event log; events are dropped until it works again", e);
            }
        }
    }
}
