package dev.typedoutbox.example;

import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.example.CountingConsumer.Deliveries;
import dev.typedoutbox.example.orders.OrderApplication;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** One run on given servers, from the tables to the summary, in the order in which things happen. */
final class ExampleRun {
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private final Options options;
    private final Terminal terminal;
    private final Deliveries deliveries = new Deliveries();

    ExampleRun(Options options, Terminal terminal) {
        this.options = options;
        this.terminal = terminal;
    }

    void run(HikariDataSource database, ConnectionFactory broker)
            throws IOException, TimeoutException, InterruptedException {
        OrderApplication.migrate(database);
        OrderApplication.declareTopology(broker);
        terminal.step("tables, exchange and queue are there");
        try (DuplicateMaker duplicates = DuplicateMaker.start(broker);
                OrderApplication application = OrderApplication.start(
                        database,
                        database.getDataSource(),
                        broker,
                        options.port,
                        consumer -> new CountingConsumer(consumer, deliveries))) {
            terminal.step("order service listens at " + application.uri());
            List<ScriptedOrder> script = ScriptedOrder.readFirst(options.orders);
            List<String> orderIds = load(application, script);
            summarize(awaitAgreement(new FigureCollector(
                    DSL.using(database, SQLDialect.POSTGRES), deliveries, duplicates, script, orderIds)));
            serveIfAsked(application, script);
        }
    }

    private List<String> load(OrderApplication application, List<ScriptedOrder> script) throws InterruptedException {
        List<String> orderIds = new OrderLoader(application.uri())
                .load(script, placed -> terminal.progress(count(placed, script.size(), "orders placed")));
        terminal.step(count(orderIds.size(), script.size(), "orders placed, and what happened to them"));
        return orderIds;
    }

    private Figures awaitAgreement(FigureCollector collector) throws InterruptedException {
        long end = System.nanoTime() + LONGEST_WAIT.toNanos();
        Figures figures = collector.collect();
        while (figures.disagreement().isPresent() && System.nanoTime() < end) {
            terminal.progress(figures.progress());
            Thread.sleep(BETWEEN_LOOKS.toMillis());
            figures = collector.collect();
        }
        terminal.step(figures.progress());
        return figures;
    }

    private void summarize(Figures figures) {
        terminal.print(figures.table(terminal.seconds()));
        figures.disagreement().ifPresent(reason -> {
            throw ExampleFailure.of(reason, null);
        });
    }

    /** Goes on placing orders, so that there is something to see. */
    private void serveIfAsked(OrderApplication application, List<ScriptedOrder> script) {
        if (!options.serve) {
            return;
        }
        terminal.step("admin page at " + application.startAdminPage());
        terminal.step("serving at " + application.uri() + ", and placing more orders, until Ctrl-C");
        try {
            new OrderLoader(application.uri()).keepPlacing(script);
        } catch (InterruptedException e) {
            terminal.step("stopping");
        }
    }

    private static String count(int done, int all, String what) {
        return String.format(Locale.ROOT, "%,d of %,d %s", done, all, what);
    }
}
