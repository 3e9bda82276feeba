/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Stacks of a recording, counted, in the text form of Gregg's flame graphs: a line for each stack, its frames from the
 * outermost on with {@code ;} between them, then a blank and in how many samples it was. The most frequent come first. The
 * outermost frame is {@code java} for samples of threads that run Java code, and {@code native} for those in native code,
 * also where they wait there: the recorder takes the two at different rates.
 *
 * @param samples in all lines
 * @param left samples of stacks for which the text had no room
 * @see <a href="https://queue.acm.org/detail.cfm?id=2927301">Brendan Gregg, The Flame Graph, 2016</a>
 */
public record FoldedStacks(String text, int samples, int left) {
    private static final Map<String, String> KINDS =
            Map.of("jdk.ExecutionSample", "java", "jdk.NativeMethodSample", "native");

    /**
     * Reads a recording.
     *
     * @param mostCharacters of the text; rarer stacks are left out
     */
    public static FoldedStacks read(Path recording, int mostCharacters) throws IOException {
        Map<String, Integer> counts = new HashMap<>();
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                @Nullable String kind = KINDS.get(event.getEventType().getName());
                @Nullable RecordedStackTrace stack = kind == null ? null : event.getStackTrace();
                if (stack != null) {
                    counts.merge(kind + folded(stack), 1, Integer::sum);
                }
            }
        }
        return of(counts, mostCharacters);
    }

    static FoldedStacks of(Map<String, Integer> counts, int mostCharacters) {
        StringBuilder text = new StringBuilder();
        int samples = 0;
        int left = 0;
        List<Map.Entry<String, Integer>> sorted = counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .toList();
        for (Map.Entry<String, Integer> stack : sorted) {
            String line = stack.getKey() + ' ' + stack.getValue() + '\n';
            if (left == 0 && text.length() + line.length() <= mostCharacters) {
                text.append(line);
                samples += stack.getValue();
            } else {
                left += stack.getValue();
            }
        }
        return new FoldedStacks(text.toString(), samples, left);
    }

    private static String folded(RecordedStackTrace stack) {
        List<RecordedFrame> frames = stack.getFrames();
        StringBuilder line = new StringBuilder();
        if (stack.isTruncated()) {
            line.append(";(deeper)");
        }
        for (int i = frames.size() - 1; i >= 0; i--) {
            RecordedFrame frame = frames.get(i);
            line.append(';')
                    .append(frame.getMethod().getType().getName())
                    .append('.')
                    .append(frame.getMethod().getName());
        }
        return line.toString();
    }
}
