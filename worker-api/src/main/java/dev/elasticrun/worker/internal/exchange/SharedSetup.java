/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.internal.net.PeerGroup;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides, at the start of a round, whether the ranks of each node can share memory: each sends the path of its area to
 * the ranks of its node, maps theirs and reports to all whether that worked. All ranks receive the same answers, so all
 * conclude the same.
 */
public final class SharedSetup {
    private static final System.Logger LOGGER = System.getLogger(SharedSetup.class.getName());
    private static final int MAX_PATH = 4096;

    private final PeerMesh mesh;
    private final PeerGroup group;
    private final Scratch scratch;
    private final SharedAreas areas;

    /** @param signal how far that rank's area has counted */
    private record Offer(long token, long signal, String file) {
        ByteBuffer encode() {
            byte[] path = file.getBytes(StandardCharsets.UTF_8);
            ByteBuffer out = ByteBuffer.allocate(2 * Long.BYTES + path.length);
            return out.putLong(token).putLong(signal).put(path).flip();
        }

        /** Empty: that rank shares nothing. */
        static Optional<Offer> decode(ByteBuffer frame) {
            if (frame.remaining() < 2 * Long.BYTES || frame.remaining() > 2 * Long.BYTES + MAX_PATH) {
                return Optional.empty();
            }
            ByteBuffer in = frame.slice();
            return Optional.of(new Offer(
                    in.getLong(),
                    in.getLong(),
                    StandardCharsets.UTF_8.decode(in).toString()));
        }
    }

    public SharedSetup(PeerMesh mesh, PeerGroup group, Scratch scratch, SharedAreas areas) {
        this.mesh = mesh;
        this.group = group;
        this.scratch = scratch;
        this.areas = areas;
    }

    /** Opens the exchange; empty: use the links. A rank that is alone on its node needs no shared memory. */
    public Optional<Exchange> open() throws BrokenLinkException {
        if (group.size() == 1) {
            return allAgree(true) ? Optional.of(new DirectExchange(group, scratch)) : Optional.empty();
        }
        Optional<SharedArea> mine = areas.mine();
        List<Optional<Offer>> offers = offers(mine.map(
                area -> new Offer(area.token(), area.signal(), area.file().toString())));
        SharedArea[] mapped = map(mine, offers);
        if (!allAgree(mapped.length == group.size()) || mine.isEmpty()) {
            return Optional.empty();
        }
        List<Long> tokens = new ArrayList<>();
        long signal = 0;
        for (Optional<Offer> offer : offers) {
            tokens.add(offer.orElseThrow().token());
            signal = Math.max(signal, offer.get().signal());
        }
        areas.retain(tokens);
        return Optional.of(new SharedExchange(group, scratch, new SharedStage(group, mapped, signal)));
    }

    private List<Optional<Offer>> offers(Optional<Offer> mine) throws BrokenLinkException {
        send(group, mine.map(Offer::encode).orElseGet(() -> ByteBuffer.allocate(0)));
        List<Optional<Offer>> offers = new ArrayList<>();
        for (int peer = 0; peer < group.size(); peer++) {
            offers.add(
                    peer == group.place() ? mine : Offer.decode(group.link(peer).receive()));
        }
        return offers;
    }

    /** By rank; empty if this rank lacks one. */
    private SharedArea[] map(Optional<SharedArea> mine, List<Optional<Offer>> offers) {
        List<SharedArea> mapped = new ArrayList<>();
        try {
            for (int peer = 0; peer < group.size() && mapped.size() == peer; peer++) {
                if (peer == group.place()) {
                    mine.ifPresent(mapped::add);
                } else if (offers.get(peer).isPresent()) {
                    Offer offer = offers.get(peer).get();
                    mapped.add(areas.peer(Path.of(offer.file()), offer.token()));
                }
            }
        } catch (IOException | InvalidPathException e) {
            LOGGER.log(Level.WARNING, "cannot share memory with the workers of this node", e);
        }
        return mapped.size() == group.size() ? mapped.toArray(SharedArea[]::new) : new SharedArea[0];
    }

    private boolean allAgree(boolean mine) throws BrokenLinkException {
        send(PeerGroup.all(mesh), ByteBuffer.wrap(new byte[] {(byte) (mine ? 1 : 0)}));
        boolean all = mine;
        for (int peer = 0; peer < mesh.size(); peer++) {
            if (peer != mesh.rank()) {
                ByteBuffer answer = mesh.link(peer).receive();
                all &= answer.remaining() == 1 && answer.get(answer.position()) == 1;
            }
        }
        return all;
    }

    private static void send(PeerGroup to, ByteBuffer message) throws BrokenLinkException {
        for (int peer = 0; peer < to.size(); peer++) {
            if (peer != to.place()) {
                to.link(peer).send(message.duplicate());
            }
        }
    }
}
