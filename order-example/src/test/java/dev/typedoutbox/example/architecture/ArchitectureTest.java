package dev.typedoutbox.example.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of the house. It stands in the last module, which sees all the others. */
@AnalyzeClasses(packages = "dev.typedoutbox", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String DB = "dev.typedoutbox.db..";
    private static final String RABBIT = "dev.typedoutbox.rabbit..";
    private static final String[] OPERATIONS = {"dev.typedoutbox.admin..", "dev.typedoutbox.standalone.."};
    private static final String EXAMPLE = "dev.typedoutbox.example..";
    private static final String EXTENSIONS = "dev.typedoutbox.testkit.junit..";
    private static final String SUITE = "dev.typedoutbox.testkit.publisher..";
    private static final String[] TEST_KIT = {"dev.typedoutbox.testkit.outbox..", EXTENSIONS, SUITE};
    private static final String METRICS = "dev.typedoutbox.metrics..";
    private static final String TRACING = "dev.typedoutbox.tracing..";
    private static final String[] CORE = {
        "dev.typedoutbox",
        "dev.typedoutbox.relay..",
        "dev.typedoutbox.deadletter..",
        "dev.typedoutbox.cleanup..",
        "dev.typedoutbox.consumer..",
        "dev.typedoutbox.status..",
        "dev.typedoutbox.testkit",
        METRICS,
        TRACING,
        "dev.typedoutbox.store.."
    };

    @ArchTest
    static final ArchRule nothingPointsBack = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("db")
            .definedBy(DB)
            .layer("core")
            .definedBy(CORE)
            .layer("rabbit")
            .definedBy(RABBIT)
            .layer("operations")
            .definedBy(OPERATIONS)
            .layer("test kit")
            .definedBy(TEST_KIT)
            .layer("example")
            .definedBy(EXAMPLE)
            .whereLayer("db")
            .mayNotAccessAnyLayer()
            .whereLayer("core")
            .mayOnlyAccessLayers("db")
            .whereLayer("rabbit")
            .mayOnlyAccessLayers("core")
            .whereLayer("test kit")
            .mayOnlyAccessLayers("db", "core")
            .whereLayer("test kit")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("operations")
            .mayOnlyBeAccessedByLayers("example")
            .whereLayer("example")
            .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule coreKnowsNoBroker = noClasses()
            .that(resideInAnyPackage(CORE))
            .should()
            .dependOnClassesThat(resideInAnyPackage("com.rabbitmq..", "org.apache.qpid.."));

    @ArchTest
    static final ArchRule rabbitKnowsNoSql = noClasses()
            .that()
            .resideInAPackage(RABBIT)
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.sql..", "javax.sql..", "org.jooq..", "org.postgresql..", DB));

    @ArchTest
    static final ArchRule onlyTheStoreKnowsTheGeneratedTables = noClasses()
            .that()
            .resideOutsideOfPackages("dev.typedoutbox.store..", DB)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.typedoutbox.db.generated..");

    @ArchTest
    static final ArchRule onlyCoreKnowsTheStore = classes()
            .that(resideInAPackage("dev.typedoutbox.store.."))
            .should()
            .onlyBeAccessed()
            .byAnyPackage(CORE);

    @ArchTest
    static final ArchRule onlyTheMetricsNeedMicrometer = noClasses()
            .that(resideInAnyPackage(CORE))
            .and()
            .resideOutsideOfPackage(METRICS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.micrometer..", METRICS);

    @ArchTest
    static final ArchRule onlyTracingKnowsOpenTelemetry = noClasses()
            .that()
            .resideOutsideOfPackage(TRACING)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.opentelemetry..");

    /** Or they would need OpenTelemetry, too. */
    @ArchTest
    static final ArchRule restOfCoreWorksWithoutTracing = noClasses()
            .that(resideInAnyPackage(CORE))
            .and()
            .resideOutsideOfPackage(TRACING)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(TRACING);

    @ArchTest
    static final ArchRule productNeedsNoTestServers = noClasses()
            .that()
            .resideOutsideOfPackages(EXAMPLE, EXTENSIONS, "dev.typedoutbox.servers..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.typedoutbox.servers..");

    /** Or users of the rest of the test kit would need JUnit, too. */
    @ArchTest
    static final ArchRule onlyTheExtensionsAndTheSuiteNeedJUnit = noClasses()
            .that()
            .resideOutsideOfPackages(EXTENSIONS, SUITE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.junit..", EXTENSIONS, SUITE);

    /** Or users of the extensions would need Awaitility, too. */
    @ArchTest
    static final ArchRule onlyTheSuiteNeedsAwaitility = noClasses()
            .that()
            .resideOutsideOfPackages(SUITE, "dev.typedoutbox.servers..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.awaitility..");

    /** Or who writes a publisher would need the servers, too. */
    @ArchTest
    static final ArchRule suiteKnowsNoExtension =
            noClasses().that().resideInAPackage(SUITE).should().dependOnClassesThat(resideInAPackage(EXTENSIONS));

    @ArchTest
    static final ArchRule extensionsKnowNoSuite =
            noClasses().that().resideInAPackage(EXTENSIONS).should().dependOnClassesThat(resideInAPackage(SUITE));
}
