import { api } from '#islands/runtime/api'
import { createSaveQueues } from '#islands/runtime/save-queues'
import type { Settings } from '#src/member/settings/settings-schema'

const save = createSaveQueues<Partial<Settings>>()

/**
 * Saves settings that are chosen in the player or on the settings page. The last choice wins. `before` are the earlier
 * values; `show` receives the saved ones if nothing was chosen since. Returns and throws what the queue does.
 */
export function saveSettings(
  changes: Partial<Settings>,
  {
    before = null,
    show = () => {},
  }: { before?: Partial<Settings> | null; show?: (saved: Partial<Settings>) => void } = {},
): Promise<Partial<Settings> | null> {
  return save(Object.keys(changes).join(), {
    before,
    show: (saved) => saved && show(saved),
    send: (signal) => api('PATCH /api/user/settings', { body: changes, signal }),
  })
}
