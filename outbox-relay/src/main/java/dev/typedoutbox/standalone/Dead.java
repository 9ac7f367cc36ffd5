package dev.typedoutbox.standalone;

import picocli.CommandLine.Command;

/** The commands about dead letters. */
@Command(
        name = "dead",
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description =
                "Lists dead letters, which are events that RabbitMQ refused as often as they may be tried; shows one, tries"
                        + " them again, or discards them.",
        subcommands = {DeadList.class, DeadShow.class, DeadRetry.class, DeadDiscard.class})
final class Dead {}
