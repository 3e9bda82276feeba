/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * What the page shows and does, from its agent. Methods are called by several threads; they may block a second, and a command
 * half a minute.
 */
public interface PageSource {

    RunPicture picture();

    /** What its workers did until now. */
    CurvePicture curves();

    /**
     * The end of what the worker with this rank wrote, a few hundred lines at most.
     *
     * @return empty = there is no such worker
     */
    Optional<LogText> log(int rank, boolean stderr) throws IOException;

    /**
     * Executes a command of an operator.
     *
     * @param name one of {@link RunPicture#commands}
     * @throws IllegalArgumentException that states what was expected
     */
    CommandAnswer command(String name, Map<String, String> arguments);

    /** A request came without the run's key. */
    void refused(String path, String from);

    /**
     * @param place whose text it is
     * @param text the last lines
     * @param whole whether nothing is before it
     */
    record LogText(String place, String text, boolean whole) {}

    /** @param words what happens now, as a sentence */
    record CommandAnswer(boolean accepted, String words) {}
}
