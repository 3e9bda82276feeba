/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class UpChannelReaderIT {
    private final Recorder recorder = new Recorder();

    @TempDir
    Path node;

    private UpChannelReader reader = UpChannelReader.start(recorder);

    @AfterEach
    void close() {
        reader.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messages_ofManyWorkers_arriveOnceAndInOrder(boolean inotify) throws Exception {
        if (!inotify) {
            reader.close();
            reader = UpChannelReader.start(recorder, () -> {
                throw new IOException("User limit of inotify instances reached");
            });
        }
        int workers = 8;
        int messages = 200;
        List<Thread> writers = new ArrayList<>();
        for (int slot = 0; slot < workers; slot++) {
            ChannelLayout layout = layout(slot);
            write(layout, 1);
            reader.add(slot, 0, layout);
            writers.add(new Thread(() -> IntStream.rangeClosed(2, messages).forEach(seq -> write(layout, seq))));
        }
        writers.forEach(Thread::start);
        for (Thread writer : writers) {
            writer.join();
        }

        await().until(() -> recorder.received.size() >= workers * messages);
        for (int slot = 0; slot < workers; slot++) {
            assertThat(recorder.steps(slot))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, messages).boxed().toList());
            assertNoFiles(layout(slot));
        }
        assertThat(recorder.damaged).isEmpty();
    }

    @Test
    void damagedFiles_ofAllKinds_areReportedOnceAndTheRestIsRead() throws Exception {
        ChannelLayout layout = layout(0);
        Files.writeString(layout.up().resolve("1.json"), "{\"version\":1,\"type\":\"READY\"");
        Files.write(layout.up().resolve("2.json"), new byte[0]);
        Files.createDirectory(layout.up().resolve("3.json"));
        Process pipe =
                new ProcessBuilder("mkfifo", layout.up().resolve("4.json").toString()).start();
        assertThat(pipe.waitFor()).isZero();
        Files.writeString(layout.up().resolve("a note.json"), "not a message");
        write(layout, 5);
        reader.add(0, 0, layout);

        await().until(() -> recorder.received.size() == 1);
        write(layout, 6);
        await().until(() -> recorder.received.size() == 2);
        assertThat(recorder.damaged).containsExactly("1.json", "2.json", "3.json", "4.json");
        assertThat(recorder.steps(0)).containsExactly(5L, 6L);
    }

    @Test
    void drain_lastWords_areDeliveredBeforeItReturnsAndNothingAfter() throws Exception {
        for (int round = 0; round < 50; round++) {
            ChannelLayout layout = layout(round);
            reader.add(round, 0, layout);
            for (int seq = 1; seq <= 5; seq++) {
                write(layout, seq);
            }

            reader.drain(round, 0);

            assertThat(recorder.steps(round)).containsExactly(1L, 2L, 3L, 4L, 5L);
            write(layout, 6);
        }
        assertThat(recorder.received).hasSize(250);
    }

    @Test
    void drain_unknownWorker_doesNothing() {
        reader.drain(99, 0);

        assertThat(recorder.received).isEmpty();
    }

    @Test
    void messages_whenTheListenerThrows_goOn() throws Exception {
        recorder.failAtStep = 1;
        ChannelLayout layout = layout(0);
        reader.add(0, 0, layout);
        write(layout, 1);
        write(layout, 2);

        await().until(() -> recorder.steps(0).contains(2L));
    }

    @Test
    void messages_channelDirectoryRemoved_othersAreStillRead() throws Exception {
        ChannelLayout gone = layout(0);
        ChannelLayout here = layout(1);
        reader.add(0, 0, gone);
        reader.add(1, 0, here);
        Files.delete(gone.up());
        write(here, 1);

        await().until(() -> recorder.received.size() == 1);
    }

    @Test
    void add_afterClose_readsWhatIsThereOnly() throws Exception {
        reader.close();
        ChannelLayout layout = layout(0);
        write(layout, 1);
        reader.add(0, 0, layout);

        assertThat(recorder.steps(0)).containsExactly(1L);
    }

    private ChannelLayout layout(int slot) throws IOException {
        ChannelLayout layout = ChannelLayout.of(node, slot, 0);
        Files.createDirectories(layout.up());
        Files.createDirectories(layout.temporary());
        return layout;
    }

    private static void write(ChannelLayout layout, long seq) {
        try {
            Path temporary = layout.temporary().resolve("message");
            Files.write(temporary, MessageCodec.encode(new UpMessage.Progress(seq, 0, 0)));
            Files.move(temporary, layout.up().resolve(seq + ".json"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertNoFiles(ChannelLayout layout) throws IOException {
        try (Stream<Path> files = Files.list(layout.up())) {
            assertThat(files).isEmpty();
        }
    }

    private record Received(int slot, long step) {}

    private static final class Recorder implements UpChannelReader.Listener {
        final List<Received> received = new CopyOnWriteArrayList<>();
        final List<String> damaged = new CopyOnWriteArrayList<>();
        volatile long failAtStep;

        @Override
        public void onMessage(int slot, int attempt, UpMessage message) {
            long step = ((UpMessage.Progress) message).step();
            if (step == failAtStep) {
                throw new IllegalStateException("as planned");
            }
            received.add(new Received(slot, step));
        }

        @Override
        public void onDamaged(int slot, int attempt, Path file, String problem) {
            damaged.add(file.getFileName().toString());
        }

        List<Long> steps(int slot) {
            return received.stream()
                    .filter(one -> one.slot() == slot)
                    .map(Received::step)
                    .toList();
        }
    }
}
