package dev.typedoutbox.rabbit.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files that the documentation is part of, and speaks of. */
final class Repository {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Set<String> LEFT_OUT = Set.of("target", ".git", ".idea", "node_modules");
    private static final Set<String> SOURCES =
            Set.of("java", "kt", "sql", "xml", "yaml", "yml", "json", "properties", "sh");

    private Repository() {}

    /** All Markdown pages, wherever they are. */
    static List<Page> pages() {
        return files().stream()
                .filter(file -> extension(file).equals("md"))
                .sorted()
                .map(Page::read)
                .toList();
    }

    /** What is compiled, run or deployed. */
    static List<Path> sources() {
        return files().stream()
                .filter(file -> SOURCES.contains(extension(file)))
                .toList();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String extension(Path file) {
        String name = file.getFileName().toString();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static List<Path> files() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return LEFT_OUT.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(file);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }
}
