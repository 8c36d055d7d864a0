package org.example.store;

import java.util.Map;

/**
 * Keeps values in memory.
 *
 * @param <V> what is kept
 */
@ThreadSafe
public final class MemoryStore<V> extends Base implements Store<V>, Closeable {
    /** How many values fit. */
    public static final int CAPACITY = 1024;
    private final Map<String, V> values, older;

    public MemoryStore(Map<String, V> values) {
        this.values = values;
        this.older = Map.of();
    }

    /** {@inheritDoc} */
    @Override
    @Nullable
    public V get(String key) throws IOException {
        return values.get(key);
    }

    static <T> T checked(T value) {
        return Objects.requireNonNull(value);
    }

    enum State {
        /** Takes values. */
        OPEN,
        CLOSED {
            @Override boolean takes() { return false; }
        };

        boolean takes() { return true; }
    }

    record Entry<V>(String key, V value) {
        Entry {
            Objects.requireNonNull(key);
        }
    }
}

// What every store can do.
interface Store<V> {
    V get(String key) throws IOException;

    default boolean has(String key) { return get(key) != null; }
}

@interface ThreadSafe {
    String value() default "";
}

class StoreTest {
    @Test
    void valuesAreFound() {
        assertEquals(1, new MemoryStore<>(Map.of("a", 1)).get("a"));
    }
}
