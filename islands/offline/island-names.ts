/** The islands that work on the page for those without a network: the worker keeps their code. */
export const offlineIslands = ['offline-shelf', 'player', 'toasts'] as const
