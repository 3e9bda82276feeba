/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import dev.elasticrun.worker.internal.net.WaitLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** The workers of one schedule, and the agent's part: who is in which round. Run by the test's thread. */
final class PropertyFleet {
    /** Nobody waits for so long, but by a clock that is ahead. */
    static final WaitLimits WAITS = new WaitLimits(Duration.ofSeconds(20), Duration.ofMinutes(30));

    private static final long LIMIT_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long TICK_MILLIS = 1;

    private final PropertySchedule schedule;
    private final PropertyReference reference;
    private final PropertyFabric fabric;
    private final Path files;
    private final Random random;
    private final Random clocks = new Random();
    private final List<PropertyMember> ever = new CopyOnWriteArrayList<>();
    private final Semaphore news = new Semaphore(0);
    private final AtomicBoolean hasBeenSilent = new AtomicBoolean();
    private List<PropertyMember> members = new ArrayList<>();
    private long round = 1;
    private long world = 1;
    private boolean grows;
    // Guarded by this.
    private long lostRound;
    private boolean hasGivenUp;

    PropertyFleet(PropertySchedule schedule, PropertyFabric fabric) throws IOException {
        this.files = fabric.newDirectory();
        this.schedule = schedule;
        this.reference = new PropertyReference(schedule);
        this.fabric = fabric;
        this.random = new Random(schedule.seed());
        this.grows = schedule.grows();
    }

    PropertySchedule schedule() {
        return schedule;
    }

    PropertyReference reference() {
        return reference;
    }

    PropertyFabric fabric() {
        return fabric;
    }

    /** How many rounds the world was formed in. */
    long rounds() {
        return round;
    }

    void onNews() {
        news.release();
    }

    synchronized void onLost(long ofRound) {
        lostRound = Math.max(lostRound, ofRound);
        onNews();
    }

    /** Somebody has waited for too long. */
    synchronized void onGivenUp() {
        hasGivenUp = true;
    }

    synchronized boolean hasGivenUp() {
        return hasGivenUp;
    }

    /** Whether the one who stands still does so here; logged once. */
    boolean isSilent(FaultInjector.Instant instant, int rank, long version, long seq) {
        return schedule.silence()
                        .filter(silence -> silence.isAt(instant, rank, version, seq))
                        .isPresent()
                && hasBeenSilent.compareAndSet(false, true);
    }

    boolean hasBeenSilent() {
        return hasBeenSilent.get();
    }

    /** As long as no more have died than may at once. */
    boolean keepsAllLocals(int world) {
        long dead = ever.stream().filter(PropertyMember::isDying).count();
        return dead <= fabric.losses(world);
    }

    /** Plays the schedule to its end; throws if a worker found anything wrong, or waits for ever. */
    void play() throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        try {
            for (int place = 0; place < schedule.size(); place++) {
                members.add(member(place, 0));
            }
            publish(List.of());
            while (!members.isEmpty()) {
                awaitNews(deadline);
                endSilence();
                // Who left in the round before is awaited by the others in this one.
                boolean isAwaited = members.stream().anyMatch(member -> member.isDone() && member.round() < round);
                members.removeIf(PropertyMember::isDone);
                ever.forEach(PropertyFleet::requireHealthy);
                boolean isTroubled = members.stream().anyMatch(PropertyMember::isDying) || isLost() || isAwaited;
                if (isTroubled) {
                    reform();
                }
            }
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + "\nround " + round + ", world " + world + ", " + ever + "\n" + schedule + "\n"
                            + stacks(),
                    e);
        } finally {
            ever.forEach(PropertyMember::bury);
            for (PropertyMember member : ever) {
                member.thread().join();
            }
        }
    }

    private void reform() {
        // Further deaths of the same moment come into the same round, or into the next one, as it happens.
        LockSupport.parkNanos(random.nextInt(4) * 100_000L);
        List<PropertyMember> next = new ArrayList<>();
        boolean isSame = schedule.isReplacing() && ever.stream().noneMatch(PropertyMember::isDone);
        List<PropertyMember> survivors = new ArrayList<>();
        for (PropertyMember member : members) {
            if (!member.isDying()) {
                next.add(member);
                survivors.add(member);
            } else if (isSame) {
                next.add(member(member.place(), member.life() + 1));
            }
            if (member.isDying()) {
                member.bury();
            }
        }
        if (!isSame) {
            world = round + 1;
            if (grows && !next.isEmpty()) {
                grows = false;
                next.add(member(schedule.size(), 0));
            }
        }
        members = next;
        Collections.shuffle(survivors, random);
        for (PropertyMember member : survivors) {
            member.pause(round, world, isSame ? PauseKind.REPLACE : PauseKind.CHANGE);
        }
        round++;
        publish(survivors);
    }

    private PropertyMember member(int place, int life) {
        Path own = files.resolve(Integer.toString(place));
        PropertyMember member = new PropertyMember(this, place, life, own);
        ever.add(member);
        return member;
    }

    private void publish(List<PropertyMember> survivors) {
        List<PeerTable.Peer> peers = new ArrayList<>();
        for (int rank = 0; rank < members.size(); rank++) {
            PropertyMember member = members.get(rank);
            peers.add(new PeerTable.Peer(rank, fabric.node(member.place()), "127.0.0.1", member.port()));
        }
        PeerTable table = new PeerTable(round, peers);
        for (int rank = 0; rank < members.size(); rank++) {
            PropertyMember member = members.get(rank);
            member.work(table, world, rank);
            if (!survivors.contains(member)) {
                member.start();
            }
        }
    }

    private void awaitNews(long deadline) throws InterruptedException {
        while (!takeNews(deadline)) {
            if (silent().isPresent()) {
                members.get(clocks.nextInt(members.size())).tickAhead();
            }
        }
    }

    /** False = there are none, and time has passed. */
    private boolean takeNews(long deadline) throws InterruptedException {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
            throw new AssertionError("nobody goes on");
        }
        if (!news.tryAcquire(silent().isPresent() ? TICK_MILLIS : left, TimeUnit.MILLISECONDS)) {
            return false;
        }
        // What else was reported is seen with it.
        news.drainPermits();
        return true;
    }

    private Optional<PropertyMember> silent() {
        return members.stream().filter(PropertyMember::isSilent).findFirst();
    }

    /** When one of the others has given up; or there are no others, who could. */
    private void endSilence() {
        Optional<PropertyMember> silent = silent();
        boolean hasOthers =
                members.stream().anyMatch(member -> !member.isSilent() && !member.isDying() && !member.isDone());
        if (silent.isPresent() && (hasGivenUp() || !hasOthers)) {
            silent.get().endSilence(schedule.silence().orElseThrow().isKilled());
        }
    }

    private synchronized boolean isLost() {
        return lostRound >= round;
    }

    private static void requireHealthy(PropertyMember member) {
        Throwable failure = member.failure();
        if (failure != null) {
            throw new AssertionError(member.toString(), failure);
        }
    }

    private String stacks() {
        return ever.stream()
                .filter(member -> member.thread().isAlive())
                .map(member -> member + "\n    "
                        + List.of(member.thread().getStackTrace()).stream()
                                .map(StackTraceElement::toString)
                                .collect(Collectors.joining("\n    ")))
                .collect(Collectors.joining("\n"));
    }
}
