/** The islands of the page for those without a network: the worker caches their code. */
export const offlineIslands = ['offline-items', 'player', 'toasts'] as const
