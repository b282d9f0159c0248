import VoiceLab from '#islands/voice-lab'
import { router } from '#src/http/router'
import { consolePage } from '#src/operator/console-page'
import type { Parts } from '#src/parts'
import { Island } from '#src/ui/island'

/** /audio-test: a paragraph in one voice or in several, before a whole story is paid for (operator.md §2). */
export function voiceLab(parts: Parts) {
  return router().get(
    '/audio-test',
    async ({ request, context }) =>
      consolePage(parts, request, context, { title: 'Voice lab', room: 'Voice lab' }, () => (
        <Island name="voice-lab" of={VoiceLab} props={{}} />
      )),
    { detail: { hide: true } },
  )
}
