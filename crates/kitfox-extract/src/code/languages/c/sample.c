/* A store of values in memory. */
#include <stdlib.h>
#include "store.h"

#define STORE_CAPACITY 1024
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* An entry of the store. */
struct entry {
  char *key;            /* never NULL */
  unsigned hash, flags;
  int (*compare)(const void *, const void *);
  struct entry *next;
};

typedef struct store {
  struct entry **buckets;
  union { int small; long large; } size;
} store_t;

typedef int (*store_visitor)(struct entry *entry, void *data);

enum state { STATE_OPEN, STATE_CLOSED = 2 };

typedef enum {
  LEVEL_LOW,
  LEVEL_HIGH
} level_t;

static const char *const names[] = { "open", "closed" };
int store_count = 0, store_limit;

static unsigned hash(const char *key);

/*
 * Finds a value, NULL if there is none.
 */
void *
store_get(store_t *store, const char *key)
{
  struct entry *entry = store->buckets[hash(key) % STORE_CAPACITY];
  return entry ? entry->key : NULL;
}

// Frees all of it.
static inline void store_free(store_t *store) {
  free(store->buckets);
}

int (*visitor_of(int kind))(void *) {
  return 0;
}

#ifdef STORE_DEBUG
void store_dump(const store_t *store)
{
  (void)store;
}
#endif

extern "C" {
int exported(void) { return 1; }
}
