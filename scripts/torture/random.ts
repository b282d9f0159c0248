/** Random choices that are the same for the same seed. */
export type Random = {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  share(): number
  /** Returns a whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number
  pick<T>(list: readonly T[]): T
  /** Returns another stream of choices, for a client that acts at the same time. */
  fork(): Random
}

/** Mulberry32 (T. Ettinger, public domain). 32 bits of state are enough to choose who does what. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const share = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (min: number, max: number) => min + Math.floor(share() * (max - min + 1))
  return {
    share,
    whole,
    pick(list) {
      const chosen = list[whole(0, list.length - 1)]
      if (chosen === undefined) throw new Error('There is nothing to choose from.')
      return chosen
    },
    fork: () => createRandom(whole(0, 2 ** 32 - 1)),
  }
}
