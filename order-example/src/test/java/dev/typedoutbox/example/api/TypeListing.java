package dev.typedoutbox.example.api;

import static java.util.stream.Collectors.joining;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** One type of the API: how it is declared, and those of its members that users can see. */
final class TypeListing {
    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");
    private static final Set<String> OF_EVERY_ENUM = Set.of("values", "valueOf");

    private final Class<?> type;

    TypeListing(Class<?> type) {
        this.type = type;
    }

    Stream<String> lines() {
        Set<String> members = new TreeSet<>();
        // What a class inherits from one that users cannot see is its own to them.
        for (Class<?> part = type;
                part != null && (part == type || !Modifier.isPublic(part.getModifiers()));
                part = part.getSuperclass()) {
            addMembers(part, members);
        }
        return Stream.of(Stream.of("", declaration()), constants(), members.stream())
                .flatMap(lines -> lines)
                .map(String::stripTrailing);
    }

    private String declaration() {
        int shown = type.getModifiers() & Modifier.classModifiers();
        String modifiers = Modifier.toString(type.isInterface() ? shown & ~Modifier.ABSTRACT : shown);
        return modifiers + (type.isSealed() ? " sealed " : " ") + kind() + " " + type.getName()
                + TypeText.of(type.getTypeParameters()) + parents();
    }

    private String kind() {
        if (type.isRecord()) {
            return "record";
        }
        if (type.isEnum()) {
            return "enum";
        }
        return type.isInterface() ? "interface" : "class";
    }

    private String parents() {
        boolean plain = type.isInterface() || type.isRecord() || type.isEnum() || type.getSuperclass() == Object.class;
        String superclass =
                plain ? "" : " extends " + TypeText.of(Objects.requireNonNull(type.getAnnotatedSuperclass()));
        String interfaces = TypeText.of(type.getAnnotatedInterfaces());
        return superclass
                + (interfaces.isEmpty() ? "" : (type.isInterface() ? " extends " : " implements ") + interfaces);
    }

    /** In their order, which compareTo and the components' accessors follow. */
    private Stream<String> constants() {
        if (type.isRecord()) {
            return Stream.of("  components ("
                    + Arrays.stream(type.getRecordComponents())
                            .map(component -> TypeText.of(component.getAnnotatedType()) + " " + component.getName())
                            .collect(joining(", "))
                    + ")");
        }
        return type.isEnum()
                ? Arrays.stream(type.getEnumConstants()).map(constant -> "  " + name(constant))
                : Stream.of();
    }

    private static String name(Object constant) {
        return ((Enum<?>) constant).name();
    }

    private void addMembers(Class<?> part, Set<String> lines) {
        for (Field field : part.getDeclaredFields()) {
            if (isSeen(field.getModifiers()) && !field.isEnumConstant()) {
                lines.add("  " + Modifier.toString(field.getModifiers()) + " " + TypeText.of(field.getAnnotatedType())
                        + " " + field.getName() + value(field));
            }
        }
        for (Constructor<?> constructor : part.getDeclaredConstructors()) {
            if (part == type && isSeen(constructor.getModifiers())) {
                lines.add("  " + Modifier.toString(constructor.getModifiers()) + " new" + parameters(constructor));
            }
        }
        for (Method method : part.getDeclaredMethods()) {
            if (isSeen(method.getModifiers()) && !method.isSynthetic() && !goesWithoutSaying(method)) {
                lines.add("  " + modifiers(method) + TypeText.of(method.getAnnotatedReturnType()) + " "
                        + method.getName() + parameters(method));
            }
        }
    }

    private boolean isSeen(int modifiers) {
        boolean inherited = Modifier.isProtected(modifiers) && !Modifier.isFinal(type.getModifiers());
        return Modifier.isPublic(modifiers) || inherited;
    }

    private boolean goesWithoutSaying(Method method) {
        return OF_EVERY_OBJECT.contains(method.getName())
                || (type.isEnum() && OF_EVERY_ENUM.contains(method.getName()));
    }

    private static String modifiers(Method method) {
        int shown = method.getModifiers() & Modifier.methodModifiers() & ~Modifier.SYNCHRONIZED;
        String variables = TypeText.of(method.getTypeParameters());
        return Modifier.toString(shown) + " " + (method.isDefault() ? "default " : "")
                + (variables.isEmpty() ? "" : variables + " ");
    }

    private static String parameters(Executable executable) {
        String thrown = TypeText.of(executable.getAnnotatedExceptionTypes());
        return "(" + TypeText.of(executable.getAnnotatedParameterTypes()) + ")"
                + (executable.isVarArgs() ? " varargs" : "") + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    /** The compiler copies these into users' classes. */
    private static String value(Field field) {
        boolean copied = Modifier.isStatic(field.getModifiers())
                && Modifier.isFinal(field.getModifiers())
                && (field.getType().isPrimitive() || field.getType() == String.class);
        try {
            return copied ? " = " + field.get(null) : "";
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
