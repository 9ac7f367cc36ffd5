package dev.typedoutbox.example.api;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Types as they stand in a listing: with their arguments and their nullness, and the same on every JDK. */
final class TypeText {
    private TypeText() {}

    static String of(AnnotatedType type) {
        return (type.isAnnotationPresent(Nullable.class) ? "@Nullable " : "") + withoutNullness(type);
    }

    static String of(AnnotatedType[] types) {
        return Arrays.stream(types).map(TypeText::of).collect(Collectors.joining(", "));
    }

    /** The type variables of a declaration. */
    static String of(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Arrays.stream(variables)
                        .map(variable -> variable.getName() + bounds(" extends ", variable.getAnnotatedBounds()))
                        .collect(Collectors.joining(", ", "<", ">"));
    }

    private static String withoutNullness(AnnotatedType type) {
        if (type instanceof AnnotatedArrayType array) {
            return of(array.getAnnotatedGenericComponentType()) + "[]";
        }
        if (type instanceof AnnotatedParameterizedType generic) {
            String name = type.getType().getTypeName();
            return shortened(name.substring(0, name.indexOf('<'))) + "<" + of(generic.getAnnotatedActualTypeArguments())
                    + ">";
        }
        if (type instanceof AnnotatedWildcardType wildcard) {
            AnnotatedType[] lower = wildcard.getAnnotatedLowerBounds();
            return "?"
                    + (lower.length > 0
                            ? " super " + of(lower)
                            : bounds(" extends ", wildcard.getAnnotatedUpperBounds()));
        }
        return shortened(type.getType().getTypeName());
    }

    private static String bounds(String word, AnnotatedType[] bounds) {
        String text = Arrays.stream(bounds).map(TypeText::of).collect(Collectors.joining(" & "));
        return text.equals("Object") ? "" : word + text;
    }

    private static String shortened(String name) {
        return name.matches("java\\.lang\\.\\w+") ? name.substring("java.lang.".length()) : name;
    }
}
