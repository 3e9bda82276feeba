/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.browser.Chromium;
import dev.elasticrun.agent.browser.Tab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The page in each state of a run, on screens of three widths: everything is within the screen. With {@code
 * -Dpage.pictures=true} pictures of it, light and dark, are written to {@code target/page/sizes}, to be looked at.
 */
@Tag("once")
@Timeout(120)
final class PageSizesIT {
    private static final int[] WIDTHS = {1400, 800, 390};
    private static final int HEIGHT = 900;
    private static Chromium browser;

    @BeforeAll
    static void startBrowser() {
        browser = Chromium.start();
    }

    @AfterAll
    static void closeBrowser() {
        browser.close();
    }

    static Stream<Arguments> states() {
        return Stream.of(
                Arguments.of("calm", "Working", working().pass(180_000)),
                Arguments.of(
                        "incident", "Recovering", working().pass(60_000).fail(5).pass(420)),
                Arguments.of("ended", "Succeeded", recovered().pass(60_000).succeed()),
                Arguments.of("failed", "Failed", recovered().pass(20_000).end()));
    }

    private static SimulatedRun working() {
        return new SimulatedRun(3, 2).pass(900).resume();
    }

    private static SimulatedRun recovered() {
        return working()
                .pass(60_000)
                .fail(3)
                .pass(420)
                .resume()
                .pass(20_000)
                .join()
                .pass(250)
                .resume();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void page_onEachScreen_isWithinIt(String name, String badge, SimulatedRun run) throws Exception {
        try (HttpListener listener = HttpListener.bind("127.0.0.1", 0, HostNames.of(List.of()), null);
                Page page = new Page(run, new KeyGate(System::nanoTime))) {
            page.on(listener);
            listener.start();
            Tab tab = browser.open("http://127.0.0.1:" + listener.port() + "/", WIDTHS[0], HEIGHT);
            tab.await("document.querySelector('#state-badge').textContent.includes('" + badge + "')");
            tab.await("document.querySelectorAll('#curve-list .curve').length > 0");

            for (int width : WIDTHS) {
                tab.size(width, HEIGHT);
                if (Boolean.getBoolean("page.pictures")) {
                    for (boolean dark : new boolean[] {false, true}) {
                        tab.dark(dark);
                        picture(tab, name + "-" + width + (dark ? "-dark" : ""));
                    }
                }
                assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt())
                        .as("width %d", width)
                        .isLessThanOrEqualTo(width);
            }
            assertThat(tab.problems()).isEmpty();
        }
    }

    private static void picture(Tab tab, String name) throws IOException {
        Path directory = Files.createDirectories(Path.of("target/page/sizes"));
        Files.write(directory.resolve(name + ".png"), tab.picture());
    }
}
