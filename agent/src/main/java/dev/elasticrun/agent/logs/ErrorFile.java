/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import dev.elasticrun.worker.contract.ErrorReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * What a worker left in its error file. The worker may have written anything, or anything but a file: reading never
 * blocks, never fails and never takes much memory.
 *
 * @param report null when there is no file, or no sense in it
 * @param problem what is wrong with the file; empty when nothing is
 */
public record ErrorFile(@Nullable ErrorReport report, String problem) {
    private static final ErrorFile NONE = new ErrorFile(null, "");

    public static ErrorFile read(Path file) {
        try {
            // Not followed and not opened unless it is a file: a link may lead anywhere, and a pipe would block.
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isRegularFile()) {
                return damaged(file, "is no regular file");
            }
            if (found.size() > ErrorReport.MAX_BYTES) {
                return damaged(
                        file, "has " + found.size() + " bytes (expected: at most " + ErrorReport.MAX_BYTES + ")");
            }
            return new ErrorFile(ErrorReport.decode(Files.readAllBytes(file)), "");
        } catch (NoSuchFileException none) {
            return NONE;
        } catch (IOException | IllegalArgumentException e) {
            return damaged(file, "cannot be read: " + e.getMessage());
        }
    }

    private static ErrorFile damaged(Path file, String problem) {
        return new ErrorFile(null, file.getFileName() + " " + problem);
    }

    /** The worker's message; without one, how the worker ended, and what is wrong with its file. */
    public String message(String end) {
        if (report != null && !report.message().isBlank()) {
            return report.message();
        }
        return problem.isEmpty() ? end : end + "; " + problem;
    }

    public String stack() {
        return report == null ? "" : report.stack();
    }
}
