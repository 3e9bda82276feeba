/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.CauseFields;
import dev.elasticrun.rendezvous.restart.CauseText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;

/** The events of a run: two nodes of one host and one of another, soft. */
abstract class ThreeNodesLog {
    /** Causes of rounds here, by their text. */
    private static final Map<String, List<Cause>> CAUSES = Stream.<List<Cause>>of(
                    List.of(new Cause.WorkersFailed(List.of("a-1"))),
                    List.of(new Cause.WorkersFailed(List.of("b-2"))),
                    List.of(new Cause.WorkersFailed(List.of("c-3"))),
                    List.of(new Cause.NodesLost(List.of("c-3"))),
                    List.of(new Cause.NodesLost(List.of("b-2", "c-3"))),
                    List.of(new Cause.NodesLeaving(List.of("b-2"))),
                    List.of(new Cause.NodesFenced(List.of("a-1"))),
                    List.of(new Cause.NodesExcluded(List.of("c-3")), new Cause.ScaleCommanded("1:2")),
                    List.of(new Cause.RestartCommanded()))
            .collect(Collectors.toMap(CauseText::of, Function.identity()));

    private static final Pattern CAUSE = Pattern.compile("'cause':'([^']*)'");

    final List<LoggedEvent> events = new ArrayList<>();
    long millis = 1000;

    @BeforeEach
    void startsWithThreeNodes() {
        for (String node : List.of("a-1", "b-2", "c-3")) {
            String host = node.equals("c-3") ? "far" : "near";
            note(node, 0, 0, "run.joined", "'host':'" + host + "','policy':'soft-no-replace','max_restarts':3");
            note(node, 0, 0, "worker.started", "'slot':0,'attempt':0,'pid':77");
            millis += 400;
            note(node, 0, 0, "worker.ready", "'slot':0,'attempt':0");
        }
        note("a-1", 1, 1, "round.decided", "'next_round':1,'cause':'start with 3 nodes'");
        seal("a-1", 1, 1, "start with 3 nodes", 0, "a-1", "b-2", "c-3");
        millis += 100;
        for (String node : List.of("a-1", "b-2", "c-3")) {
            resume(node, 1, 1, 0);
        }
    }

    void outage(long length) {
        List<String> nodes = List.of("a-1", "b-2", "c-3");
        for (String node : nodes) {
            pause(node, 1, 1, 1);
            note(node, 1, 1, "node.fenced", "'working_round':1");
            acknowledge(node, 1, 1, 40, 12);
            note(node, 1, 1, "store.trouble", "'message':'etcd has not answered for 3 s'");
        }
        millis += length;
        for (String node : nodes) {
            note(node, 1, 1, "store.well", "'message':'etcd has not answered for 5 s'");
            note(node, 1, 1, "work.published", "'cause':'start','world_size':3,'rank':0");
            note(node, 1, 1, "node.restored", "'stalled':false");
        }
        millis += 50;
        for (String node : nodes) {
            resume(node, 1, 1, 40);
            note(node, 1, 1, "worker.progressed", "'slot':0,'attempt':0,'step':13");
        }
    }

    IncidentReport last() {
        List<IncidentReport> all = Incidents.of(events);
        return all.get(all.size() - 1);
    }

    void fail(String node, long round, long incident, String more) {
        note(node, round, incident, "worker.failed", "'slot':0,'attempt':0,'pid':77," + more);
    }

    void consume(int number, String command) {
        note(
                "a-1",
                1,
                1,
                "command.consumed",
                "'number':" + number + ",'accepted':true,'asked_by':'ann','command':'" + command + "'");
    }

    void pause(String node, long round, long incident, long paused) {
        note(node, round, incident, "incident.paused", "'paused_round':" + paused);
    }

    void acknowledge(String node, long round, long incident, long version, long step) {
        note(node, round, incident, "pause.acknowledged", "'slot':0,'version':" + version + ",'step':" + step);
    }

    void resume(String node, long round, long incident, long version) {
        note(
                node,
                round,
                incident,
                "worker.resumed",
                "'slot':0,'attempt':0,'resumed_round':" + round + ",'version':" + version);
    }

    /** Its coordinator writes it, and all members receive it at that moment. */
    void seal(String by, long round, long incident, String cause, int budget, String... nodes) {
        String list = "'" + String.join("','", nodes) + "'";
        note(
                by,
                round,
                incident,
                "round.sealed",
                "'cause':'" + cause + "','world_size':" + nodes.length + ",'budget_used':" + budget + ",'nodes':["
                        + list + "]");
        int rank = 0;
        for (String node : nodes) {
            note(
                    node,
                    round,
                    incident,
                    "work.published",
                    "'cause':'" + cause + "','world_size':" + nodes.length + ",'rank':" + rank++);
        }
    }

    static String withCauses(String fields) {
        return CAUSE.matcher(fields).replaceFirst(found -> {
            String causes = CAUSES.getOrDefault(found.group(1), List.of()).stream()
                    .map(IncidentsTest::json)
                    .collect(Collectors.joining(","));
            return found.group() + ",'causes':[" + causes + "]";
        });
    }

    static String json(Cause cause) {
        try {
            return new ObjectMapper().writeValueAsString(CauseFields.of(cause)).replace('"', '\'');
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    void note(String node, long round, long incident, String kind, String more) {
        String line = "{'run':'r','incarnation':'i','node':'" + node + "','round':" + round + ",'incident':"
                + (incident == 0 ? "null" : "'" + incident + "'") + ",'nanos':" + millis * 1_000_000
                + ",'time':'2026-01-31T12:00:" + String.format("%02d.%03d", millis / 1000, millis % 1000)
                + "Z','kind':'" + kind + "'" + (more.isEmpty() ? "" : "," + withCauses(more)) + "}";
        events.add(LoggedEvent.parse(line.replace('\'', '"')).orElseThrow());
    }
}
