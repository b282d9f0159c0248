/** The islands of the offline page. The worker caches their code. */
export const offlineIslands = ['offline-items', 'player', 'toasts'] as const
