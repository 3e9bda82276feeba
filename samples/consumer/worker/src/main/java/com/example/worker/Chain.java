/* SPDX-License-Identifier: Apache-2.0 */
package com.example.worker;

import com.google.common.hash.Hashing;
import dev.elasticrun.worker.Snapshotable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/** A number that depends on each step: one that is lost, or done twice, gives another one. */
final class Chain implements Snapshotable {
    private long step;
    private long value;

    long step() {
        return step;
    }

    long value() {
        return value;
    }

    void add(long sum) {
        value = Hashing.sipHash24().newHasher().putLong(value).putLong(sum).hash().asLong();
        step++;
    }

    @Override
    public byte[] save() {
        ByteBuf buffer = Unpooled.buffer().writeLong(step).writeLong(value);
        return ByteBufUtil.getBytes(buffer);
    }

    @Override
    public void restore(byte[] snapshot) {
        ByteBuf buffer = Unpooled.wrappedBuffer(snapshot);
        step = buffer.readLong();
        value = buffer.readLong();
    }
}
