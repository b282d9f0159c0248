/** Islands that no page contains. The loader starts each at the first request for it. */
export const lazyIslands = [
  'player',
  'restored-bar',
  'toasts',
  'auth-dialog',
  'reader-dialog',
  'report-dialog',
] as const
export type LazyIsland = (typeof lazyIslands)[number]
