#include <map>
#include <string>

#define STORE_CAPACITY 1024

namespace store {
namespace {
constexpr int kLimit = 10;
}

/// What every store can do.
template <typename V>
class Store {
 public:
  virtual ~Store() = default;

  /// Finds a value.
  virtual const V* get(const std::string& key) const = 0;

  Store& operator=(const Store&) = delete;
  explicit operator bool() const { return size_ > 0; }

  template <typename F>
  void visit(F&& visitor) {
    for (auto& value : values_) visitor(value);
  }

 protected:
  int size_ = 0, limit_;
  std::map<std::string, V> values_;

 private:
  struct Entry {
    std::string key;
  };
  enum class State { kOpen, kClosed };
  friend class Registry;
  using Key = std::string;
};

// Counts what is kept.
template <typename V>
int count(const Store<V>& store) {
  return store.size();
}

Registry::Registry(int limit) : limit_(limit) {}

Registry::~Registry() {
  clear();
}

std::unique_ptr<Store<int>> Registry::find(const std::string& name) const {
  return nullptr;
}

bool Registry::Entry::operator==(const Entry& other) const { return key == other.key; }

template <>
struct hash<Store<int>> {
  size_t operator()(const Store<int>& store) const noexcept;
};

union Value {
  int small;
  long large;
};

typedef std::vector<int> Values;
template <class T> using Listener = std::function<void(const T&)>;
template <typename T> concept Keyed = requires(T t) { t.key(); };

inline namespace v1 { int version(); }
namespace a::b { void nested(); }

extern "C" int exported(void);
static int counter = 0;
int Registry::instances = 0;
}  // namespace store

TEST(StoreTest, ValuesAreFound) {
  EXPECT_EQ(1, store::find("a"));
}

// Macros that only decorate are looked through.
KIT_NAMESPACE_BEGIN
class KIT_EXPORT Guard final {
  KIT_NO_INLINE explicit Guard(Lock* kit_nonnull lock) KIT_ACQUIRES(lock)
      : lock_(lock) {}
  KIT_NO_INLINE ~Guard() KIT_RELEASES();
  operator const Lock*() const KIT_LIFETIME_BOUND { return lock_; }

 private:
  Lock* kit_nonnull lock_ KIT_GUARDED_BY(this);
};

/// Tells whether the lock is held.
KIT_DEPRECATED("use held()",
               2)
KIT_MUST_USE bool is_held(const Lock& lock KIT_LIFETIME_BOUND);
KIT_NAMESPACE_END
