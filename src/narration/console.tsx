import VoiceLab from '#islands/narration/voice-lab'
import { consolePage } from '#src/operator/console-page'
import { router } from '#src/request/router'
import { Island } from '#src/ui/island'
import { NeedsScript } from '#src/ui/needs-script'

const words = 'Hear one paragraph in several voices before you spend anything on a whole story.'

/** /audio-test: a paragraph in one or several voices, to compare before paying for a whole story. */
export function voiceLab() {
  return router().get(
    '/audio-test',
    async ({ context }) =>
      consolePage(context, { title: 'Voice lab', room: 'Voice lab', words }, () => (
        <NeedsScript what="The voice lab">
          <Island name="voice-lab" of={VoiceLab} props={{}} />
        </NeedsScript>
      )),
    { detail: { hide: true } },
  )
}
