package org.example.store

import cats.effect.IO

/** What every store can do. */
trait Store[F[_], V] {
  type Key

  /** Finds a value. */
  def get(key: String): F[Option[V]]
  def has(key: String): F[Boolean] = get(key).map(_.isDefined)
  val size: Int
}

/**
 * Keeps values in memory.
 */
@deprecated("use Disk", "1.0")
final class MemoryStore[V] private (values: Map[String, V]) extends Store[IO, V] with Closeable {
  private val lock: Lock = new Lock
  private[store] var older, newer = Map.empty[String, V]

  override def get(key: String): IO[Option[V]] =
    IO.delay {
      values.get(key)
    }

  def +(other: MemoryStore[V]): MemoryStore[V] = new MemoryStore(values ++ other.values)

  def this() = this(Map.empty)
}

object MemoryStore {
  // How many values fit.
  final val Capacity = 1024

  def empty[V]: MemoryStore[V] = new MemoryStore(Map.empty)

  implicit class Counted[V](store: MemoryStore[V]) {
    def count: Int = store.size
  }
}

sealed abstract class State
case object Open extends State
case class Closed(at: Long) extends State

enum Level(val weight: Int) {
  case Low extends Level(1)
  case High, Higher
}

type Listener[V] = V => Unit

given Ordering[Level] with {
  def compare(a: Level, b: Level): Int = a.weight - b.weight
}

extension [V](store: Store[IO, V]) {
  def isEmpty: Boolean = store.size == 0
}

package object internals {
  lazy val shared = MemoryStore.empty[Int]
}
