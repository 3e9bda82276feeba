/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.browser.Chromium;
import dev.elasticrun.agent.browser.Tab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page in a real browser, over runs that are simulated. Pictures of it are in {@code target/page}. */
@Tag("once")
@Timeout(120)
final class PageIT {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);
    private static final int WIDE = 1440;
    private static final int TABLET = 800;
    private static final int NARROW = 390;
    private static Chromium browser;

    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeAll
    static void startBrowser() {
        browser = Chromium.start();
    }

    @AfterAll
    static void closeBrowser() {
        browser.close();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable served : open) {
            served.close();
        }
    }

    @Test
    void healthyRun_isShownWithoutAnyProblem() throws Exception {
        Tab tab = show(new SimulatedRun(2, 2).pass(800).resume().pass(125_000), "", WIDE);

        assertThat(tab.text("#state")).contains("Working", "Working: 4 workers on 2 nodes");
        assertThat(tab.text("#figures")).contains("step 1,250 of 20,000", "0 of 3", "97 %");
        assertThat(tab.evaluate("document.querySelectorAll('#ranks tr').length").asInt())
                .isEqualTo(4);
        assertThat(tab.text("#last-incident")).isEqualTo("No incident so far.");
        picture(tab, "healthy");
        tab.dark(true);
        picture(tab, "healthy-dark");
        tab.size(NARROW, 844);
        tab.dark(false);
        picture(tab, "healthy-narrow");
        assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(NARROW);
        assertThat(tab.problems()).isEmpty();
    }

    @Test
    void incident_appearsWithoutReload_andIsReported() throws Exception {
        SimulatedRun run = new SimulatedRun(3, 2).pass(900).resume().pass(60_000);
        Tab tab = show(run, "", WIDE);
        tab.evaluate("window.notReloaded = true");

        run.fail(5).pass(420);
        tab.await("document.querySelector('#state').textContent.includes('Recovering')");
        run.resume().pass(20_000).join().pass(250).resume().pass(30_000);
        tab.await("document.querySelectorAll('#incident-list > li').length === 2");

        assertThat(tab.text("#incident-list > li:last-child"))
                .contains(
                        "Worker failed", "Rank 5 on node-2", "killed by SIGKILL", "paused 428 ms", "No step was lost");
        assertThat(tab.evaluate("window.notReloaded").asBoolean()).isTrue();
        picture(tab, "incident");
        tab.click("#incident-list > li:last-child button");
        assertThat(tab.text("#lane-words")).contains("Round 2", "4 workers");
        picture(tab, "incident-near");
        tab.size(NARROW, 844);
        picture(tab, "incident-narrow");
        assertThat(tab.problems()).isEmpty();
    }

    @Test
    void olderIncidents_areOneLine_andFailuresAreShownAlone() throws Exception {
        SimulatedRun run = new SimulatedRun(3, 2).pass(900).resume().pass(60_000);
        Tab tab = show(run, "", WIDE);
        String open = "[...document.querySelectorAll('#incident-list details')].map((one) => one.open).join()";
        assertThat(tab.evaluate("document.querySelector('#failures-label').hidden")
                        .asBoolean())
                .isTrue();

        run.fail(5).pass(420).resume().pass(20_000).join().pass(250).resume().pass(30_000);
        tab.await("document.querySelectorAll('#incident-list > li').length === 2");
        assertThat(tab.evaluate(open).asText()).isEqualTo("true,false");
        tab.click("#incident-list > li:last-child summary");
        run.fail(3).pass(420).resume().pass(20_000);
        tab.await("document.querySelectorAll('#incident-list > li').length === 3");
        assertThat(tab.evaluate(open).asText()).isEqualTo("true,false,true");

        tab.click("#failures-only");
        assertThat(tab.evaluate("[...document.querySelectorAll('#incident-list strong')]"
                                + ".map((one) => one.textContent).join()")
                        .asText())
                .isEqualTo("Worker failed,Worker failed");
        picture(tab, "failures");
        assertThat(tab.problems()).isEmpty();
    }

    @Test
    void curves_showEachRank_theIncident_andTheValuesThatAreChosen() throws Exception {
        SimulatedRun run = new SimulatedRun(2, 2).pass(900).resume().pass(120_000);
        run.fail(3).pass(9000).resume().pass(60_000).join().pass(900).resume().pass(60_000);
        Tab tab = show(run, "", WIDE);
        tab.await("document.querySelectorAll('#curve-list .curve').length > 0");

        assertThat(tab.evaluate(
                                "[...document.querySelectorAll('#curve-list figcaption')].map(e => e.textContent).join()")
                        .asText())
                .isEqualTo("Steps per second,Resident memory,Processor, of one,Garbage collection, of the time,"
                        + "World size,Goodput,Metric loss");
        assertThat(curves(tab, 0, ".curve")).isEqualTo(4);
        assertThat(curves(tab, 0, ".curve-incident")).isEqualTo(2);
        assertThat(tab.text("#curve-legend")).isEqualTo("rank 0rank 1rank 2rank 3");
        assertThat(tab.interactive())
                .anyMatch(name -> name.matches("application: Steps per second: rank 0 [0-9.]+, rank 1 .*"));
        double height =
                tab.evaluate("document.querySelector('#curves').offsetHeight").asDouble();
        tab.evaluate("document.querySelector('#curve-list .curve-area').focus()");
        tab.press("ArrowLeft");
        tab.press("ArrowLeft");
        assertThat(tab.text("#curve-words")).matches("Steps per second, [0-9:]+: rank 0 [0-9.]+, rank 1 .*");
        assertThat(curves(tab, 1, ".curve-chosen")).isEqualTo(1);
        assertThat(tab.evaluate("document.querySelector('#curves').offsetHeight")
                        .asDouble())
                .isEqualTo(height);
        // Ranks 2 and 3 were nowhere between the rounds.
        assertThat(tab.evaluate("[...document.querySelectorAll('#curve-list figure:nth-child(2) .curve')]"
                                + ".map(line => line.getAttribute('d').split('M').length - 1).join()")
                        .asText())
                .isEqualTo("1,1,2,2");
        for (int width : List.of(WIDE, TABLET, NARROW)) {
            tab.size(width, 1000);
            tab.dark(false);
            picture(tab, "curves-" + width);
            tab.dark(true);
            picture(tab, "curves-" + width + "-dark");
            assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt())
                    .isLessThanOrEqualTo(width);
        }
        assertThat(tab.problems()).isEmpty();
    }

    @Test
    void runThatHasEnded_hasTheCurvesThatItsEventsHave() throws Exception {
        SimulatedRun run =
                new SimulatedRun(2, 2).pass(900).resume().pass(90_000).succeed();
        CurvePicture all = run.curves();
        CurvePicture known = new CurvePicture(
                all.now(), all.millis(), Map.of("world", all.run().get("world")), List.of());
        HttpListener listener = HttpListener.bind("127.0.0.1", 0, HostNames.of(List.of()), null);
        listener.serve(
                "/",
                exchange -> PastPage.answer(
                        exchange, exchange.path().substring(1), () -> new PastPage(run.picture(), List.of(), known)));
        listener.start();
        open.add(listener);
        Tab tab = browser.open("http://127.0.0.1:" + listener.port() + "/", WIDE, 1000);
        tab.await("document.body.dataset.connection === 'ended'");

        assertThat(tab.text("#curve-list figcaption")).isEqualTo("World size");
        assertThat(tab.evaluate("document.querySelectorAll('#curve-list figure').length")
                        .asInt())
                .isEqualTo(1);
        assertThat(curves(tab, 0, ".curve")).isEqualTo(1);
        picture(tab, "past");
        assertThat(tab.problems()).isEmpty();
    }

    private static int curves(Tab tab, int figure, String selector) {
        return tab.evaluate("document.querySelectorAll('#curve-list figure')[" + figure + "].querySelectorAll('"
                        + selector + "').length")
                .asInt();
    }

    @Test
    void scales_fitTheirValues_andLinesHaveGapsWhereNothingIsKnown() throws Exception {
        Tab tab = show(new SimulatedRun(1, 1).pass(900).resume().pass(9000), "", NARROW);

        assertThat(tab.evaluate(
                                "import('/scales.js').then((s) => [s.niceTop(0), s.niceTop(0.9), s.niceTop(1.7),"
                                        + " s.niceTop(2.4), s.niceTop(5), s.niceTop(700), s.niceTop(300 * 2 ** 20, 1024) / 2 ** 20].join())")
                        .asText())
                .isEqualTo("1,1,2,2.5,5,1000,500");
        assertThat(tab.evaluate("import('/scales.js').then((s) => s.pathOf([1, 2, null, 3].map((value, at) =>"
                                + " ({ at, value })), (at) => at * 10, (value) => value))")
                        .asText())
                .isEqualTo("M0 1L10 2M28.5 3h3");
        assertThat(tab.evaluate(
                                "import('/scales.js').then((s) => JSON.stringify(s.rankLines([{ millis: [1, 2], workers:"
                                        + " [{ ranks: [0, -1], curves: { a: [5, 6] } }] }, { millis: [2, 3], workers:"
                                        + " [{ ranks: [1, 0], curves: { a: [null, 7] } }] }], 'a')))")
                        .asText())
                .isEqualTo("[[0,[{\"at\":1,\"value\":5},{\"at\":3,\"value\":7}]]]");
        assertThat(tab.problems()).isEmpty();
    }

    @Test
    void sixtyFourRanks_canBeRead() throws Exception {
        SimulatedRun run = new SimulatedRun(16, 4).pass(1500).resume().pass(240_000);
        run.fail(22).pass(1900).resume().pass(90_000).join().pass(600).resume().pass(300_000);
        Tab tab = show(run, "", WIDE);

        assertThat(tab.evaluate("document.querySelectorAll('#ranks tr').length").asInt())
                .isEqualTo(64);
        picture(tab, "ranks-64");
        tab.size(NARROW, 844);
        picture(tab, "ranks-64-narrow");
        assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(NARROW);
        assertThat(tab.problems()).isEmpty();
    }

    @Test
    void run_thatWaits_reportsForWhom_andThatEnded_reportsHow() throws Exception {
        SimulatedRun run = new SimulatedRun(2, 2).pass(800).resume().pass(40_000);
        Tab tab = show(run, "", WIDE);

        run.failAndWait(3).pass(15_000);
        tab.await("document.querySelector('#state').textContent.includes('waiting for nodes: 1 of at least 2')");
        tab.await("document.querySelector('#incident-list').textContent.includes('No round has answered it yet')");
        assertThat(tab.text("#last-incident")).contains("Rank 3 on node-1", "(not over yet)");
        picture(tab, "waiting");
        tab.size(NARROW, 844);
        picture(tab, "waiting-narrow");
        tab.size(WIDE, 1000);
        run.join().pass(900).resume().pass(60_000).succeed();
        tab.await("document.querySelector('#state-badge').textContent.includes('Succeeded')");
        assertThat(tab.evaluate("document.querySelector('#root-cause').hidden").asBoolean())
                .isTrue();
        tab.await("document.querySelector('#incident-list').textContent.includes('The run ended as succeeded')");
        picture(tab, "ended");
        assertThat(tab.problems()).isEmpty();
    }

    @Test
    void run_thatFailed_looksLikeOne_andShowsItsRootCause() throws Exception {
        SimulatedRun run = new SimulatedRun(2, 2).pass(800).resume().pass(40_000);
        Tab tab = show(run, "", WIDE);

        run.end();

        tab.await("document.querySelector('#state-badge').textContent.includes('Failed')");
        assertThat(tab.text("#root-cause")).contains("Rank 3 on node node-1", "IllegalStateException: no");
        assertThat(tab.evaluate("document.title").asText()).startsWith("Failed: ");
        picture(tab, "failed");
        assertThat(tab.problems()).isEmpty();
    }

    @Test
    void keyboardAndScreenReader_reachAndNameEverything() throws Exception {
        SimulatedRun run = new SimulatedRun(2, 1).pass(800).resume().pass(9000);
        run.fail(1).pass(300).resume().pass(5000);
        Tab tab = show(run, "", WIDE);

        assertThat(tab.interactive())
                .contains(
                        "link: Timeline",
                        "radio: 10 min",
                        "button: Log of rank 0",
                        "button: Stack of rank 0",
                        "combobox: Rank",
                        "checkbox: Follow")
                .anyMatch(name -> name.startsWith("button: Show in the timeline: Worker failed"))
                .anyMatch(name -> name.startsWith("application: Timeline: one bar for each rank"))
                .allSatisfy(name -> assertThat(name).matches("[a-zA-Z]+: .*\\S.*"));
        List<String> reached = new ArrayList<>();
        String focused = "document.activeElement";
        for (tab.press("Tab"); !tab.evaluate(focused + ".tagName").asText().equals("BODY"); tab.press("Tab")) {
            reached.add(tab.evaluate(
                            "(e => e.id || e.getAttribute('aria-label') || e.name || e.textContent)(" + focused + ")")
                    .asText());
            assertThat(tab.evaluate("getComputedStyle(" + focused + ").outlineStyle")
                            .asText())
                    .as(reached.toString())
                    .isNotEqualTo("none");
        }
        assertThat(reached)
                .containsSubsequence(
                        "Skip to the run",
                        "to-glance",
                        "window",
                        "lanes",
                        "The timeline in words",
                        "Log of rank 0",
                        "log-rank",
                        "key-field",
                        "key-button");
        tab.evaluate("document.querySelector('#lanes').focus()");
        tab.press("ArrowLeft");
        tab.press("ArrowLeft");
        tab.press("ArrowDown");
        assertThat(tab.text("#lane-words")).startsWith("Round 1 from").contains("Rank 1 on node-1");
        assertThat(tab.problems()).isEmpty();
    }

    @Test
    void tablesAndTimeline_areReadOutWithHeadersAndInWords() throws Exception {
        SimulatedRun run = new SimulatedRun(2, 1).pass(800).resume().pass(9000);
        run.fail(0).pass(300).resume().pass(5000);
        Tab tab = show(run, "", WIDE);

        assertThat(tab.named("table")).containsExactly("Workers by rank", "Nodes of the run");
        assertThat(tab.named("columnheader")).contains("Rank", "State", "Step", "Memory", "Log", "Phase", "Note");
        assertThat(tab.named("rowheader")).containsExactly("0", "node-1");
        enter(tab, "details summary");
        assertThat(tab.named("list")).contains("Newest rounds first");
        assertThat(tab.text("#timeline-words li:last-child"))
                .startsWith("Round 1 from ")
                .contains("2 workers: start with 2 nodes", "starting for 800 ms, then working for 9.0 s")
                .endsWith("Rank 0 failed in it.");
        enter(tab, "#incident-list button");
        assertThat(tab.evaluate("document.activeElement.id").asText()).isEqualTo("lanes");
        assertThat(tab.text("#lane-words")).startsWith("Round 2 from");
        enter(tab, "#ranks button");
        assertThat(tab.evaluate("document.activeElement.id").asText()).isEqualTo("log-rank");
        assertThat(tab.problems()).isEmpty();
    }

    /** As who uses a keyboard does it. */
    private static void enter(Tab tab, String selector) {
        tab.evaluate("document.querySelector('" + selector + "').focus()");
        tab.press("Enter");
    }

    @Test
    void command_withoutTheKey_isRefused_andWithIt_isDoneOnceConfirmed() throws Exception {
        SimulatedRun run = new SimulatedRun(2, 1).pass(800).resume().pass(9000);
        Tab tab = show(run, "", WIDE);
        tab.click("#commands button:last-child");
        tab.await("document.querySelector('#command-answer').textContent.includes(\"needs the run's key\")");

        tab.evaluate("document.querySelector('#key-field').focus()");
        tab.type("00".repeat(32));
        tab.press("Enter");
        tab.await("document.querySelector('#key-note').textContent.includes('not the key of this run')");
        assertThat(run.refusals()).singleElement().asString().startsWith("/api/key from 127.0.0.1");
        tab.problems().removeIf(problem -> problem.contains("401"));

        Tab second = show(run, "#key=" + HexFormat.of().formatHex(KEY), WIDE);
        second.await("document.querySelector('#key-note').textContent.includes('The key is right')");
        assertThat(second.evaluate("location.href").asText()).doesNotContain("key");
        second.click("#commands button");
        second.await("document.querySelector('#confirm').open");
        picture(second, "confirm");
        second.press("Escape");
        assertThat(run.commands()).isEmpty();
        second.click("#commands button");
        second.click("#confirm-yes");
        // As that of the first closing does when it comes late.
        second.evaluate("document.querySelector('#confirm').dispatchEvent(new Event('close'))");
        second.await("document.querySelector('#command-answer').textContent.startsWith('Done: ')");
        assertThat(run.commands()).containsExactly("drain{node=node-0}");
        second.click("#ranks tr:last-child td:last-child button");
        assertThat(second.text("#confirm-title")).isEqualTo("Dump threads?");
        second.click("#confirm-yes");
        second.await("document.querySelector('#command-answer').textContent === 'Done: dump is under way'");
        assertThat(run.commands()).containsExactly("drain{node=node-0}", "dump{rank=1}");
        assertProfile(second);
        assertThat(run.commands()).endsWith("profile{rank=1}");
        second.click("#ranks button");
        // Standard error is empty.
        second.await("document.querySelector('#log-text').textContent.includes('step 2')");
        second.evaluate("document.querySelector('#log-query').value = 'STEP 1';"
                + " document.querySelector('#log-query').dispatchEvent(new Event('input'))");
        assertThat(second.text("#log-text")).isEqualTo("step 1");
        assertThat(second.text("#log-note")).contains("1 line with 'STEP 1'");
        assertThat(tab.problems()).isEmpty();
        assertThat(second.problems()).isEmpty();
    }

    private static void assertProfile(Tab tab) throws IOException {
        tab.click("#ranks tr:last-child td:last-child button:last-child");
        assertThat(tab.text("#confirm-title")).isEqualTo("Profile?");
        tab.click("#confirm-yes");
        tab.await("!document.querySelector('#flame').hidden");
        picture(tab, "flame");
        assertThat(tab.text("#command-answer")).isEqualTo("Done: 20 samples of rank 1 on node-1 in 10 s");
        assertThat(tab.text("#flame-words")).isEqualTo("all: 100.0 % of 20 samples, 0.0 % of its own");
        assertThat(tab.text("#flame-methods li")).isEqualTo("60.0 % app.Model.gradient");
        // By their width: what reads is a quarter of what computes.
        assertThat(tab.evaluate("""
                        (() => {
                          const width = (text) => [...document.querySelectorAll('#flame-frames button')]
                            .find((button) => button.title.startsWith(text)).getBoundingClientRect().width;
                          return Math.round(width('app.Model.gradient') / width('app.Data.read'));
                        })()
                        """).asInt()).isEqualTo(4);

        tab.evaluate("document.querySelector('#flame-frames button[title^=\"in native code\"]').click()");

        assertThat(tab.text("#flame-words"))
                .isEqualTo("in native code, waiting included: 25.0 % of 20 samples, 0.0 % of its own");
        assertThat(tab.text("#flame-frames")).contains("all").doesNotContain("Model.gradient");
    }

    @Test
    void agent_thatIsGone_isReported_andThePageGoesOnWhenItIsBack() throws Exception {
        SimulatedRun run = new SimulatedRun(2, 1).pass(800).resume().pass(9000);
        HttpListener listener = serve(run, 0);
        Tab tab = browser.open("http://127.0.0.1:" + listener.port() + "/", WIDE, 1000);
        tab.await("document.body.dataset.connection === 'live'");

        listener.close();
        tab.await("document.querySelector('#connection').textContent.startsWith('Lost the agent at ')");
        picture(tab, "lost");
        serve(run.pass(60_000), listener.port());

        tab.await("document.body.dataset.connection === 'live'");
        assertThat(tab.text("#figures")).contains("step 690 of 20,000");
    }

    private Tab show(SimulatedRun run, String fragment, int width) throws IOException {
        HttpListener listener = serve(run, 0);
        Tab tab = browser.open("http://127.0.0.1:" + listener.port() + "/" + fragment, width, 1000);
        tab.await("document.querySelector('#state-badge').textContent !== ''");
        return tab;
    }

    private HttpListener serve(SimulatedRun run, int port) throws IOException {
        KeyGate gate = new KeyGate(System::nanoTime);
        gate.key(KEY);
        HttpListener listener = HttpListener.bind("127.0.0.1", port, HostNames.of(List.of()), null);
        Page page = new Page(run, gate);
        page.on(listener);
        listener.start();
        open.add(page);
        open.add(listener);
        return listener;
    }

    private static void picture(Tab tab, String name) throws IOException {
        Path directory = Files.createDirectories(Path.of("target/page"));
        Files.write(directory.resolve(name + ".png"), tab.picture());
    }
}
