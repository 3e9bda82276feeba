/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each test that is not for a soak runs in CI: one with the tags of both halves would run in none. */
@Tag("once")
final class TestTagsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern CLASS = Pattern.compile("^(?:public )?(?:final )?class ", Pattern.MULTILINE);
    private static final String ONCE = "@Tag(\"once\")";
    private static final String SLOW = "@Tag(\"slow\")";

    @Test
    void tests_anyModule_areNotBothOnceAndSlow() throws IOException {
        List<Path> inNone = new ArrayList<>();
        int looked = 0;
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(path ->
                            path.toString().endsWith(".java") && path.toString().contains("/src/test/java/"))
                    .toList()) {
                String text = Files.readString(file);
                Matcher declaration = CLASS.matcher(text);
                if (declaration.find()) {
                    looked++;
                    String annotations = text.substring(0, declaration.start());
                    String members = text.substring(declaration.start());
                    if (isInNone(annotations, members)) {
                        inNone.add(file);
                    }
                }
            }
        }
        assertThat(looked).isGreaterThan(500);
        assertThat(inNone).isEmpty();
    }

    private static boolean isInNone(String annotations, String members) {
        boolean both = annotations.contains(ONCE) && annotations.contains(SLOW);
        boolean once = annotations.contains(ONCE) && members.contains(SLOW);
        boolean slow = annotations.contains(SLOW) && members.contains(ONCE);
        return both
                || once
                || slow
                || (members.contains(ONCE + "\n    " + SLOW) || members.contains(SLOW + "\n    " + ONCE));
    }
}
