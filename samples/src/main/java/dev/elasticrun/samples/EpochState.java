/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.ElasticSampler;
import dev.elasticrun.worker.Snapshotable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What has been dealt of the epoch, and how often each of its samples was used: one snapshot, so that both are always of
 * the same steps.
 */
final class EpochState implements Snapshotable {
    private final ElasticSampler sampler;
    private final int[] used;
    private final Set<Integer> worlds = new LinkedHashSet<>();
    private final List<String> ended = new ArrayList<>();

    EpochState(int samples, long seed) {
        sampler = ElasticSampler.shuffled(samples, seed);
        used = new int[samples];
    }

    ElasticSampler sampler() {
        return sampler;
    }

    int samples() {
        return used.length;
    }

    /** Adds how often all workers together used each sample in a step. */
    void use(int[] byAll, int worldSize) {
        for (int sample = 0; sample < used.length; sample++) {
            used[sample] += byAll[sample];
        }
        worlds.add(worldSize);
    }

    /** Audits the epoch and starts the next one. */
    void endEpoch() {
        long missed = IntStream.of(used).filter(times -> times == 0).count();
        long repeated = IntStream.of(used).filter(times -> times > 1).count();
        ended.add(String.format(
                "epoch %d: %d samples, %d missed, %d used twice, in worlds of %s",
                sampler.epoch() + 1, used.length, missed, repeated, worlds));
        Arrays.fill(used, 0);
        worlds.clear();
        sampler.startEpoch(sampler.epoch() + 1);
    }

    /** A line for each epoch that is over. */
    List<String> ended() {
        return List.copyOf(ended);
    }

    @Override
    public byte[] save() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            byte[] dealt = sampler.save();
            out.writeInt(dealt.length);
            out.write(dealt);
            for (int times : used) {
                out.writeInt(times);
            }
            out.writeInt(worlds.size());
            for (int world : worlds) {
                out.writeInt(world);
            }
            out.writeInt(ended.size());
            for (String line : ended) {
                out.writeUTF(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    @Override
    public void restore(byte[] snapshot) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(snapshot))) {
            sampler.restore(in.readNBytes(in.readInt()));
            for (int sample = 0; sample < used.length; sample++) {
                used[sample] = in.readInt();
            }
            worlds.clear();
            for (int left = in.readInt(); left > 0; left--) {
                worlds.add(in.readInt());
            }
            ended.clear();
            for (int left = in.readInt(); left > 0; left--) {
                ended.add(in.readUTF());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("snapshot of other data", e);
        }
    }
}
