package org.example.store

import kotlin.time.Duration

/** How many values fit. */
const val CAPACITY = 1024

typealias Listener<T> = (T) -> Unit

/**
 * What every store can do.
 */
interface Store<V> {
    suspend fun get(key: String): V?
    val size: Int
}

/** Keeps values in memory. */
@ThreadSafe
class MemoryStore<V>(private val values: MutableMap<String, V>) : Store<V>, Closeable {
    private val lock = Mutex()

    override val size: Int
        get() = values.size

    constructor() : this(mutableMapOf())

    init {
        require(size < CAPACITY)
    }

    // Finds a value.
    @JvmName("find")
    override suspend fun get(key: String): V? {
        return lock.withLock { values[key] }
    }

    companion object {
        fun <V> empty(): MemoryStore<V> = MemoryStore(mutableMapOf())
    }

    sealed class State {
        data object Open : State()
        data class Closed(val at: Duration) : State()
    }
}

enum class Level(val weight: Int) {
    LOW(1),
    HIGH(2) {
        override fun next() = LOW
    };

    abstract fun next(): Level
}

object Registry {
    fun register(store: Store<*>) {}
}

/** Counts what is kept. */
fun <V> Store<V>.count(): Int = size

class StoreTest {
    @Test
    fun `values are found`() {
        assertEquals(1, MemoryStore(mutableMapOf("a" to 1)).get("a"))
    }
}
