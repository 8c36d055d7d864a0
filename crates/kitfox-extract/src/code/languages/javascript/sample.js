'use strict';

const http = require('http');

/** How many values fit. */
const CAPACITY = 1024, LOWEST = 0;

/**
 * Keeps values.
 */

class Store extends Base {
  #values = new Map();
  static limit = 10;

  constructor(values) {
    super();
  }

  /** Finds a value. */
  async get(key) {
    const normalized = (key) => key.trim();
    return this.#values.get(normalized(key));
  }

  get size() {
    return this.#values.size;
  }

  onChange = (listener) => {
    this.listener = listener;
  };
}

// Counts what is kept.
export function count(store) {
  return store.size;
}

export default function* entries(store) {
  yield* store;
}

export const visit = async (store, visitor) => {
  for (const entry of store) visitor(entry);
};

Store.prototype.has = function has(key) {
  return this.get(key) !== undefined;
};

exports.open = function (path) {
  return new Store(read(path));
};

module.exports = {
  close() {},
  flush: function () {
    return true;
  },
  limit: 10,
};

const Registry = class {
  find(name) {}
};

describe('store', () => {
  it('finds values', async () => {
    assert.equal(new Store({ a: 1 }).get('a'), 1);
  });

  it.each([1, 2])('counts %d values', (n) => {
    assert.equal(count(new Store(n)), n);
  });
});
