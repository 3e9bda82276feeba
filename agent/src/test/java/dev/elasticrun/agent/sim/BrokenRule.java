/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import java.util.stream.LongStream;

/** Rules that the simulator must miss when they are broken, and how each is broken. */
enum BrokenRule {
    A_DEPOSED_COORDINATOR_CANNOT_WRITE(
            "soft", Sources.FENCE, "return List.copyOf(guards);", "return List.of(others);", 21),
    A_STANDBY_KEEPS_A_COPY(
            "soft",
            Sources.AGENT + "rules/CopyRules.java",
            "boolean isWanted = joins || missing(round) > 0;",
            "boolean isWanted = joins;",
            49),
    NOTHING_IS_SEALED_FROM_AN_OLD_PLAN(
            "soft", Sources.RENDEZVOUS + "coordinator/Coordinator.java", "learnCheckpoint();", """
            busy = true;
            loop.schedule(Duration.ofMillis(300), () -> publish(next, settled));
            """, 86),
    A_ROUND_REPLACES_THE_ONE_BEFORE_IT(
            "soft",
            Sources.COORDINATOR,
            "new Guard.ModRevision(keys.round(), roundRevision))",
            "new Guard.CreateRevision(keys.verdict(), 3))",
            0),
    A_NUMBER_IS_USED_ONCE(
            "soft",
            Sources.RENDEZVOUS + "plan/RoundBuilder.java",
            "previous.number() + 1",
            "Math.max(1, previous.number())",
            1),
    A_ROUND_HAS_THE_MINIMUM(
            "soft",
            Sources.RENDEZVOUS + "plan/ReformPlanner.java",
            "working > 0 && working + memberStates.done().size() >= now.minNodes()",
            "working > 0",
            7),
    NOBODY_WAITS_FOR_THE_DEAD(
            "soft",
            Sources.RENDEZVOUS + "plan/MemberStates.java",
            "orElse(MemberState.LOST)",
            "orElse(MemberState.REPLACING)",
            7),
    PAUSE_COMES_BEFORE_WORK(
            "soft",
            Sources.AGENT + "rules/RoundRules.java",
            "return paused.then(work(paused.state(), round, place.get()));",
            "return work(state, round, place.get());",
            2),
    WHO_DOES_NOT_ACKNOWLEDGE_IS_REPLACED(
            "soft",
            Sources.AGENT + "rules/WorkerRules.java",
            "if (silent.isEmpty()) {",
            "if (silent.size() >= 0) {",
            11),
    RANKS_HAVE_NO_HOLES(
            "soft", Sources.RENDEZVOUS + "plan/RankAssigner.java", "rank = participant.endRank();", "rank += 2;", 6),
    THE_BUDGET_HAS_AN_END_SOFT("soft", Sources.RENDEZVOUS + "restart/GroupView.java", "max - used", "1000", 18),
    THE_BUDGET_HAS_AN_END_HARD("hard", Sources.RENDEZVOUS + "restart/GroupView.java", "max - used", "1000", 49),
    A_RESTART_COUNTS_FOR_THE_WHOLE_WINDOW(
            "soft",
            Sources.RENDEZVOUS + "terms/RestartBudget.java",
            "age + millis < window.toMillis()",
            "age + 2 * millis < window.toMillis()",
            3),
    A_START_AFTER_A_BACK_OFF_IS_CHARGED(
            "soft",
            Sources.RENDEZVOUS + "plan/RestartAccount.java",
            "charged(round.used(), 1)",
            "charged(round.used(), 0)",
            33),
    A_COORDINATOR_KNOWS_ITS_OWN_RECORD(
            "hard",
            Sources.RENDEZVOUS + "Rendezvous.java",
            "membership.announced().ifPresent(record -> appointed.receive(nodeId, record));",
            "",
            1_008_433),
    A_POLICY_CANNOT_OVERDRAW(
            "hard",
            Sources.RENDEZVOUS + "restart/HardRestart.java",
            "view.budgetLeft() > 0",
            "view.budgetLeft() >= 0",
            49),
    HEALTHY_NODES_RUN_ON(
            "soft",
            Sources.RENDEZVOUS + "restart/SoftNoReplace.java",
            "restart.removeAll(leave);",
            "restart.addAll(view.in(MemberState.HEALTHY));",
            4),
    A_NODE_IS_FENCED_BEFORE_IT_IS_LOST(
            "soft",
            Sources.RENDEZVOUS + "terms/LeaseTimes.java",
            "return part.compareTo(before) < 0 ? part : before;",
            "return ttl.multipliedBy(2);",
            0),
    A_MASTER_ENDPOINT_IS_USED_ONCE(
            "soft",
            Sources.RENDEZVOUS + "plan/ReformPlanner.java",
            "hasNoMaster(sealed) || hasUsedMaster(now, sealed)",
            "hasNoMaster(sealed)",
            11),
    A_MASTER_ENDPOINT_OF_AN_OLD_RECORD_IS_NOT_USED(
            "soft-elastic",
            Sources.RENDEZVOUS + "plan/RoundBuilder.java",
            ".filter(known -> others.contains(known.createRevision()))",
            ".filter(known -> others.isEmpty())",
            3012),
    A_ROUND_HAS_A_MASTER_ENDPOINT(
            "soft",
            Sources.RENDEZVOUS + "plan/ReformPlanner.java",
            "hasNoMaster(sealed) || hasUsedMaster(now, sealed)",
            "hasUsedMaster(now, sealed)",
            46),
    A_LATE_ROUND_OF_OURS_IS_NOTICED(
            "soft",
            Sources.RENDEZVOUS + "coordinator/CoordinatedRecords.java",
            "return seenRoundRevision > roundRevision;",
            "return seenRoundRevision < 0;",
            458),
    THERE_IS_ONE_VERDICT(
            "soft",
            Sources.COORDINATOR,
            "fence.and(keys, new Guard.CreateRevision(keys.verdict(), 0)),",
            "fence.and(keys),",
            39),
    NOTHING_STARTS_BEFORE_ALL_IS_GONE(
            "hard",
            Sources.RENDEZVOUS + "plan/StoppedRoundPlanner.java",
            "boolean gone = node.record().rounds().stopped() >= round.number();",
            "boolean gone = true;",
            8),
    A_ROUND_NAMES_ONE_LIFE_OF_A_NODE(
            "soft",
            Sources.AGENT + "rules/AgentState.java",
            "place.createRevision() == membership.life() && ",
            "",
            339),
    THE_LEASE_OF_ANOTHER_LIFE_LETS_NOBODY_WORK(
            "soft-elastic",
            Sources.AGENT + "rules/RoundRules.java",
            "return pauseTheLast(state);",
            "return Transition.stay(state);",
            1_002_744),
    EVENTS_ARE_HINTS(
            "soft",
            Sources.RENDEZVOUS + "view/RangeChecks.java",
            "        checkLater(period);\n    }\n\n    public void close",
            "    }\n\n    public void close",
            17),
    A_LATE_RECORD_DOES_NOT_REPLACE_A_NEWER_ONE(
            "soft",
            Sources.RENDEZVOUS + "membership/RecordWriter.java",
            """
            new Transaction.Guard.CreateRevision(key, expected),
                                            new Transaction.Guard.ModRevision(key, modRevision)),""",
            "new Transaction.Guard.CreateRevision(key, expected)),",
            448),
    A_STOPPED_AGENT_JUDGES_NOBODY(
            "soft",
            Sources.AGENT + "rules/AgentMachine.java",
            "delay.minus(step).plus(late ? STEP : Duration.ZERO)",
            "Duration.ZERO",
            36),
    A_WORKER_CAN_END_THE_RUN(
            "soft",
            Sources.RENDEZVOUS + "plan/Planner.java",
            "if (stopRun != null) {",
            "if (stopRun != null && stopRun.attempt() < 0) {",
            149),
    AN_EXCLUDED_NODE_COOLS_DOWN(
            "soft",
            Sources.RENDEZVOUS + "plan/AdmissionDelay.java",
            "config.rounds().excludeCoolDown(), false, \"excluded: \"",
            "Duration.ZERO, false, \"excluded: \"",
            144),
    A_NODE_THAT_KEEPS_FAILING_COOLS_DOWN(
            "soft",
            Sources.RENDEZVOUS + "plan/AdmissionDelay.java",
            "if (NodeComparison.isFailing(round, trouble)) {",
            "if (trouble.failures() >= 1000) {",
            401),
    EXCLUSION_LEAVES_ENOUGH(
            "soft",
            Sources.RENDEZVOUS + "plan/Admission.java",
            "holds.isEmpty() || (enough && !round.suspended())",
            "holds.isEmpty() || !enough || enough",
            1265),
    A_LINK_THAT_STAYS_CUT_COSTS_AN_END(
            "soft",
            Sources.RENDEZVOUS + "plan/RunningRoundPlanner.java",
            "now.standing().brokenLinks().secondTime(now.snapshot(), now.round(), now.seen(), now.nowNanos());",
            "Optional.empty();",
            58),
    A_BROKEN_LINK_IS_FORGOTTEN(
            "soft-replace",
            Sources.RENDEZVOUS + "plan/HistoryBuilder.java",
            ".filter(link -> now.seen().isRecent(link, now.nowNanos()))",
            ".filter(link -> true)",
            1_012_821),
    A_CUT_LINK_IS_TRIED_LESS_AND_LESS_OFTEN(
            "soft",
            Sources.RENDEZVOUS + "plan/AdmissionDelay.java",
            "until(node, since, delay(trouble.strikes(), LONGEST_FOR_LINKS), false, why)",
            "until(node, since, Duration.ZERO, false, why)",
            58),
    A_CUT_LINK_WAITS_WHICHEVER_END_IS_LEFT_OUT(
            "soft",
            Sources.RENDEZVOUS + "plan/HistoryBuilder.java",
            "return 2 + Math.max(0, before - own);",
            "return 2;",
            84),
    A_RUN_ENDS_WITH_ITS_STORE(
            "soft",
            Sources.RENDEZVOUS + "view/StoreHealth.java",
            "if (error instanceof StoreReplacedException) {",
            "if (error instanceof StoreReplacedException && closed) {",
            134),
    A_ROUND_THAT_WAS_SEALED_UNSEEN_IS_KNOWN(
            "soft", Sources.AGENT + "rules/RoundRules.java", "paused.then(seen(paused.state(), round))", "paused", 307),
    A_NODE_THAT_IS_EXCLUDED_WHILE_IT_STOPS_COMES_BACK(
            "hard",
            Sources.RENDEZVOUS + "plan/StoppedRoundPlanner.java",
            "if (!enough(now, members) && fit.size() < stopped.size()) {",
            "if (!enough(now, members) && fit.size() > stopped.size()) {",
            567),
    AGENTS_ARE_WATCHED_ALONG_THE_RING(
            "soft",
            Sources.AGENT + "liveness/Neighbours.java",
            "if (ring.get(i).nodeId().equals(nodeId) && !next",
            "if (ring.size() < 2 && !next",
            103),
    A_COMMAND_IS_CONSUMED_ONCE(
            "soft",
            Sources.RENDEZVOUS + "coordinator/PendingCommands.java",
            "if (number(entry) > consumed) {",
            "if (number(entry) > 0 * consumed) {",
            4),
    A_COMMAND_HAS_A_NUMBER_OF_ITS_OWN(
            "soft",
            Sources.RENDEZVOUS + "membership/CommandWrites.java",
            "new Guard.CreateRevision(keys.command(next), 0),",
            "",
            55),
    A_REQUEST_IS_ONE_COMMAND(
            "soft",
            Sources.RENDEZVOUS + "membership/CommandWrites.java",
            "if (isOf(entry, command.requestId())) {",
            "if (taken < 0 && isOf(entry, command.requestId())) {",
            4),
    A_DRAINED_NODE_LEAVES(
            "soft",
            Sources.AGENT + "rules/RoundRules.java",
            "case DRAIN -> endings.onDrain(state, EndRules.DRAINED, \"drained by command\");",
            "case DRAIN -> Transition.stay(state);",
            4),
    A_SCALED_RUN_HAS_ITS_MAXIMUM("soft", Sources.RENDEZVOUS + "plan/Standing.java", "out.addAll(surplus);", "", 5),
    A_RESTART_BY_COMMAND_IS_FREE(
            "soft",
            Sources.RENDEZVOUS + "plan/CommandPlanner.java",
            "new RestartDecision.Reform(restarted(now), Set.of(), Set.of(), 0, causes)",
            "new RestartDecision.Reform(restarted(now), Set.of(), Set.of(), 1, causes)",
            4),
    NO_ROUND_IS_SEALED_WITHOUT_WHO_HAS_MORE(
            "soft", Sources.RENDEZVOUS + "plan/StateSources.java", ".limit(MAX_SOURCES)", ".limit(0)", 4),
    NO_OLD_VERSION_IS_SERVED(
            "soft",
            Sources.AGENT + "rules/RoundRules.java",
            "(source.isAheadOf(own.newest()) || (own.isInDoubt() && source.wasMember()))",
            "source.isAheadOf(own.newest())",
            98),
    A_FRESH_WORKER_GETS_A_RANK(
            "soft-elastic",
            Sources.RENDEZVOUS + "plan/RunningRoundPlanner.java",
            "strategy.elasticWorkers() ? states.returning(now.round()) : 0",
            "0",
            70),
    A_LOADING_WORKER_IS_AWAITED(
            "soft-replace with spares",
            Sources.RENDEZVOUS + "plan/RunningRoundPlanner.java",
            "strategy.waitsForWorkers()",
            "false",
            211),
    A_ROUND_WITH_A_DEAD_WORKER_IS_ANSWERED(
            "soft-elastic",
            Sources.AGENT + "rules/ElasticWorkerRules.java",
            "now.with(now.rounds().acknowledging(round))",
            "now",
            1681),
    A_RECORD_FROM_BEFORE_THE_FAILURE_IS_NO_NEWCOMER(
            "soft-elastic",
            Sources.RENDEZVOUS + "record/Round.java",
            "case REPLACE -> order.generation() >= node.generation();",
            "case REPLACE -> false;",
            648),
    A_RESTART_IS_OF_THE_REPLACED_WORKERS_TOO(
            "soft-elastic",
            Sources.RENDEZVOUS + "record/Round.java",
            "(elasticWorkers && order.isAboutAnyOf(node.attempts()))",
            "false",
            21_477);

    /** Each is caught by one of so many seeds from 0 on. */
    static final int SEEDS = 1500;

    private final String policy;
    private final String source;
    private final String text;
    private final String replacement;
    private final int firstSeed;

    /** @param firstSeed one that shows it soon; {@link SimulationBitesTest} has how to find another */
    BrokenRule(String policy, String source, String text, String replacement, int firstSeed) {
        this.policy = policy;
        this.source = source;
        this.text = text;
        this.replacement = replacement;
        this.firstSeed = firstSeed;
    }

    String policy() {
        return policy;
    }

    int firstSeed() {
        return firstSeed;
    }

    /** In the order in which to play them. */
    LongStream seeds() {
        return LongStream.concat(
                LongStream.of(firstSeed), LongStream.range(0, SEEDS).filter(seed -> seed != firstSeed));
    }

    Mutant mutant() {
        return Mutant.of(source, text, replacement);
    }

    private static final class Sources {
        private static final String RENDEZVOUS = "rendezvous/src/main/java/dev/elasticrun/rendezvous/";
        private static final String FENCE = RENDEZVOUS + "coordinator/Fence.java";
        private static final String COORDINATOR = RENDEZVOUS + "coordinator/CoordinatorWrites.java";
        private static final String AGENT = "agent/src/main/java/dev/elasticrun/agent/";
    }
}
