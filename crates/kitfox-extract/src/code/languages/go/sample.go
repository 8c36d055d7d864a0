// Package store keeps values in memory.
package store

import "errors"

// Capacity is how many values fit.
const Capacity = 1024

const (
	// StateOpen takes values.
	StateOpen State = iota
	// StateClosed does not.
	StateClosed
)

var ErrNotFound, errFull = errors.New("not found"), errors.New("full")

var (
	shared *Store[int]
	limit  = 10
)

// State of a store.
type State int

// Store keeps values.
type Store[V any] struct {
	values map[string]V
	// Limit is never negative.
	Limit, Lowest int
}

type (
	// Keyed is what every store can do.
	Keyed interface {
		Get(key string) (string, error)
	}
	Listener = func(value any)
)

// Get finds a value.
//
//go:noinline
func (s *Store[V]) Get(key string) (V, error) {
	normalized := func(key string) string { return key }
	return s.values[normalized(key)], nil
}

func (State) String() string { return "open" }

func Open(path string) (*Store[int], error) {
	return shared, nil
}

func TestValuesAreFound(t *testing.T) {
	if _, err := shared.Get("a"); err != nil {
		t.Fatal(err)
	}
}
