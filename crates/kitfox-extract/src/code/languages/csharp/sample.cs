using System;

namespace Example.Storage
{
    /// <summary>
    /// What every store can do.
    /// </summary>
    public interface IStore<T> : IDisposable where T : class
    {
        T Get(string key);
        int Count { get; }
        event EventHandler Changed;
    }

    /// <summary>Keeps values in memory.</summary>
    [Serializable]
    public sealed partial class MemoryStore<T> : IStore<T> where T : class
    {
        public const int Capacity = 1024;
        private readonly Dictionary<string, T> _values, _older;

        public MemoryStore(int capacity = Capacity) : base(capacity)
        {
            _values = new Dictionary<string, T>();
        }

        ~MemoryStore() { }

        // How many there are.
        public int Count => _values.Count;

        public T this[string key] { get { return Get(key); } }

        public event EventHandler Changed;

        /// <inheritdoc/>
        [return: MaybeNull]
        public T Get(string key)
        {
            T Local(string k) => _values[k];
            return Local(key);
        }

        public static bool operator ==(MemoryStore<T> a, MemoryStore<T> b) => ReferenceEquals(a, b);
        public static implicit operator bool(MemoryStore<T> store) => store.Count > 0;

        void IDisposable.Dispose() { }

        public delegate void Listener(T value);

        private struct Entry
        {
            public string Key;
        }
    }

    public enum State : byte
    {
        /// <summary>Takes values.</summary>
        Open = 1,
        Closed,
    }

    public record Point(int X, int Y);
    public record struct Size(int Width, int Height) { public int Area => Width * Height; }

    public class StoreTests
    {
        [Fact]
        public async Task ValuesAreFound()
        {
            Assert.Equal(1, new MemoryStore<object>().Count);
        }
    }
}
