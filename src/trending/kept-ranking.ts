import type { Executor } from '#db/db'
export function trendingChanged(_db: Executor): void {}
