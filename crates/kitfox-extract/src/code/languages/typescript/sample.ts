import { Base } from './base'

/** How many values fit. */
export const CAPACITY = 1024

/**
 * What every store can do.
 */
export interface Store<V> extends Closeable {
  /** How many there are. */
  readonly size: number
  get(key: string): Promise<V | undefined>
}

export type Listener<V> = (value: V) => void

export enum State {
  Open,
  Closed = 'closed',
}

// Keeps values.
@Injectable()
export abstract class MemoryStore<V> extends Base implements Store<V> {
  private values = new Map<string, V>()
  static readonly limit: number = 10

  constructor(private readonly path: string) {
    super()
  }

  /** Finds a value. */
  @Memoize()
  async get(key: string): Promise<V | undefined> {
    return this.values.get(key)
  }

  get size(): number {
    return this.values.size
  }

  abstract close(): void

  notify = (listener: Listener<V>) => {
    for (const value of this.values.values()) listener(value)
  }
}

export function count(store: Store<string>): number
export function count(store: Store<number>): number
export function count(store: Store<unknown>): number {
  return store.size
}

namespace internals {
  export const shared = new Map()
  export function reset(): void {}
}

declare module 'store' {
  export function open(path: string): Store<unknown>
}

declare const VERSION: string

describe('store', () => {
  test(`finds values`, async () => {
    expect(await open('a').get('a')).toBe(1)
  })
})
