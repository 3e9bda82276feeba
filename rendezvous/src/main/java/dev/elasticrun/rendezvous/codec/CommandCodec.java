/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.elasticrun.proto.CommandKind;
import dev.elasticrun.proto.CommandRecord;
import dev.elasticrun.proto.CommandState;
import dev.elasticrun.proto.TargetRecord;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RunSpec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Between commands and the bytes that the store keeps. */
public final class CommandCodec {
    static final int SCHEMA = 1;
    private static final String KIND = "COMMAND_";

    private CommandCodec() {}

    /**
     * A command as the store has it.
     *
     * @param settled what became of it; empty while it waits for the coordinator
     */
    public record Stored(Command command, String incarnation, Optional<CommandResult> settled) {}

    /** The number in a command's key; 0 when there is none. */
    public static long number(RunKeys keys, String key) {
        String digits = key.substring(keys.commands().length());
        return digits.matches("[1-9][0-9]{0,17}") ? Long.parseLong(digits) : 0;
    }

    public static byte[] encode(Command command, String incarnation) {
        return builder(command, incarnation).build().toByteArray();
    }

    public static byte[] encode(CommandResult settled, String incarnation) {
        return builder(settled.command(), incarnation)
                .setState(settled.accepted() ? CommandState.COMMAND_ACCEPTED : CommandState.COMMAND_REFUSED)
                .setAnswer(settled.answer())
                .setRound(settled.round())
                .build()
                .toByteArray();
    }

    private static CommandRecord.Builder builder(Command command, String incarnation) {
        return CommandRecord.newBuilder()
                .setSchema(SCHEMA)
                .setIncarnation(incarnation)
                .setNumber(command.number())
                .setRequestId(command.requestId())
                .setKind(CommandKind.valueOf(KIND + command.kind().name()))
                .setNodeId(command.nodeId())
                .setMinNodes(command.nodes().minNodes())
                .setMaxNodes(command.nodes().maxNodes())
                .setForce(command.force())
                .setAskedBy(command.askedBy());
    }

    /** @throws CorruptRecordException when that is no command */
    public static Stored decode(KeyValue entry) {
        try {
            CommandRecord stored = CommandRecord.parseFrom(entry.value());
            if (stored.getSchema() != SCHEMA) {
                throw corrupt(entry, "schema " + stored.getSchema() + " (expected: " + SCHEMA + ")", null);
            }
            Command command = new Command(
                    stored.getNumber(),
                    stored.getRequestId(),
                    Command.Kind.valueOf(stored.getKind().name().substring(KIND.length())),
                    stored.getNodeId(),
                    new NodeBounds(stored.getMinNodes(), stored.getMaxNodes()),
                    stored.getForce(),
                    stored.getAskedBy());
            boolean waits = stored.getState() == CommandState.COMMAND_PENDING;
            return new Stored(
                    command,
                    stored.getIncarnation(),
                    waits
                            ? Optional.empty()
                            : Optional.of(new CommandResult(
                                    command,
                                    stored.getState() == CommandState.COMMAND_ACCEPTED,
                                    stored.getAnswer(),
                                    stored.getRound())));
        } catch (InvalidProtocolBufferException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw corrupt(entry, String.valueOf(e.getMessage()), e);
        }
    }

    public static byte[] encode(NodeBounds target, long command, String incarnation) {
        return TargetRecord.newBuilder()
                .setSchema(SCHEMA)
                .setIncarnation(incarnation)
                .setMinNodes(target.minNodes())
                .setMaxNodes(target.maxNodes())
                .setCommand(command)
                .build()
                .toByteArray();
    }

    /**
     * How many nodes the run is to have.
     *
     * @param entry what the key holds; null = the run was never scaled
     */
    public static NodeBounds target(@Nullable KeyValue entry, RunSpec spec) {
        if (entry == null) {
            return spec.terms().nodes();
        }
        try {
            TargetRecord stored = TargetRecord.parseFrom(entry.value());
            if (stored.getSchema() != SCHEMA) {
                throw corrupt(entry, "schema " + stored.getSchema() + " (expected: " + SCHEMA + ")", null);
            }
            return stored.getIncarnation().equals(spec.incarnation())
                    ? new NodeBounds(stored.getMinNodes(), stored.getMaxNodes())
                    : spec.terms().nodes();
        } catch (InvalidProtocolBufferException e) {
            throw corrupt(entry, String.valueOf(e.getMessage()), e);
        }
    }

    private static CorruptRecordException corrupt(KeyValue entry, String what, @Nullable Throwable cause) {
        return new CorruptRecordException(
                "corrupt record: " + entry.key() + " of " + entry.value().length + " bytes: " + what, cause);
    }
}
