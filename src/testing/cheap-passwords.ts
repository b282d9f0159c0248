const hash = Bun.password.hash

/**
 * bunfig.toml preloads this file for every `bun test`. Passwords and PINs are hashed at argon2id's least cost, which
 * takes less than a millisecond of processor time instead of 52, since nearly every file signs somebody in. A program
 * that a test starts as a process hashes at full cost, unless it preloads this file too.
 */
export function hashAtLeastCost(): void {
  Bun.password.hash = (password, algorithm) =>
    typeof algorithm === 'object' && algorithm.algorithm !== 'bcrypt'
      ? hash(password, { ...algorithm, memoryCost: 8, timeCost: 1 })
      : hash(password, algorithm)
}

/** For tests of the cost itself, which restore the least cost afterwards. */
export function hashAtStatedCost(): void {
  Bun.password.hash = hash
}

hashAtLeastCost()
