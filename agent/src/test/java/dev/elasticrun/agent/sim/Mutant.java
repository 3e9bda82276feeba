/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The product with one rule broken: a text in one source file is replaced, the file is compiled in memory, and a class
 * loader of its own loads the product and the simulator with it.
 */
final class Mutant extends ClassLoader {
    private static final String OURS = "dev.elasticrun.";

    private final Map<String, byte[]> mutated;

    private Mutant(Map<String, byte[]> mutated) {
        super(Mutant.class.getClassLoader());
        this.mutated = mutated;
    }

    /** The product as it is, loaded in the same way. */
    static Mutant none() {
        return new Mutant(Map.of());
    }

    /**
     * @param source path of the file from the root of the project
     * @throws AssertionError when the text is not there exactly once, or the mutant does not compile
     */
    static Mutant of(String source, String text, String replacement) {
        Path file = Path.of("..").resolve(source);
        try {
            String code = Files.readString(file);
            int at = code.indexOf(text);
            if (at < 0 || code.indexOf(text, at + 1) >= 0) {
                throw new AssertionError("not exactly once in " + source + ": " + text);
            }
            return new Mutant(compile(file, code.replace(text, replacement)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, byte[]> compile(Path file, String code) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, ByteArrayOutputStream> classes = new TreeMap<>();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        try (JavaFileManager files = new InMemory(compiler.getStandardFileManager(null, null, null), classes)) {
            boolean done = compiler.getTask(
                            null,
                            files,
                            problems,
                            List.of("-proc:none", "-nowarn", "-classpath", classPath),
                            null,
                            List.of(new Source(file, code)))
                    .call();
            if (!done) {
                throw new AssertionError("the mutant of " + file + " does not compile: " + problems.getDiagnostics());
            }
        }
        Map<String, byte[]> bytes = new TreeMap<>();
        classes.forEach((name, written) -> bytes.put(name, written.toByteArray()));
        return bytes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS) || name.startsWith(OURS + "proto.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? define(name) : known;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = mutated.get(name);
        if (bytes == null) {
            try (var stream = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (stream == null) {
                    throw new ClassNotFoundException(name);
                }
                bytes = stream.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String code;

        Source(Path file, String code) {
            super(URI.create("string:///" + file.getFileName()), Kind.SOURCE);
            this.code = code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes;

        InMemory(JavaFileManager files, Map<String, ByteArrayOutputStream> classes) {
            super(files);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream written = new ByteArrayOutputStream();
                    classes.put(className, written);
                    return written;
                }
            };
        }
    }
}
