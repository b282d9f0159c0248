import { useState } from 'react'
import { useJob } from '#islands/job/use-job'
import { reload } from '#islands/navigation/visit'
import { AskedButton, type Question } from '#islands/operator/asked-button'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { orToast } from '#islands/runtime/or-toast'
import { waitingWords } from '#src/job/rules'
import type { Job } from '#src/job/schema'
import { dot } from '#src/text/join-facts'
import { Icon } from '#src/ui/icon'

type Work = 'enhance' | 'narrate'
const words = {
  enhance: { busy: 'Making the script', done: 'The script is ready', failed: 'The script could not be made' },
  narrate: { busy: 'Narrating', done: 'The narration is ready', failed: 'The narration failed' },
} as const

const newScript: Question = {
  id: 'new-script',
  title: 'Make a new script?',
  words: 'This one was edited by hand. The new script replaces it.',
  yes: 'Make a new one',
}
const newRecording: Question = {
  id: 'new-recording',
  title: 'Replace the recording?',
  words: 'The current recording was uploaded. Everybody hears the narration instead, as soon as it is ready.',
  yes: 'Narrate',
}

/** Buttons to generate the script again or to narrate it, with the progress. The page reloads at the end. */
export default function StudioActions(props: {
  storyId: string
  voice: string
  /** "free", "about $0.81"; null if no voice is configured. */
  price: string | null
  running: { id: string; kind: string } | null
  /** Whether the current recording was uploaded. */
  isUploaded: boolean
  /** Whether the script was written or edited by a person. */
  isByHand: boolean
}) {
  const { storyId, voice, price } = props
  const [jobId, setJobId] = useState(props.running?.id ?? null)
  const [work, setWork] = useState<Work>(props.running?.kind === 'enhance' ? 'enhance' : 'narrate')
  const job = useJob(jobId, (over) => {
    setJobId(null)
    showOutcome(over, work)
    void reload()
  })

  const start = async (next: Work) => {
    setWork(next)
    const path = { id: storyId }
    const started = await orToast(
      () =>
        next === 'enhance'
          ? operatorApi('POST /api/stories/:id/enhance', { path })
          : operatorApi('POST /api/stories/:id/narrate', { path, body: { voice } }),
      { title: words[next].failed, otherwise: 'Please try again.' },
    )
    if (started) setJobId(started.jobId)
  }

  if (jobId) {
    const percent = Math.round((job?.progress ?? 0) * 100)
    return (
      <div className="stack-sm" role="status">
        <p className="meta num">
          {job?.state === 'running'
            ? `${words[work].busy}, ${percent} %`
            : `${words[work].busy}${dot}${waitingWords(job)}`}
        </p>
        <progress className="meter" value={percent} max={100} aria-label={words[work].busy} />
      </div>
    )
  }
  return (
    <div className="btn-row">
      <AskedButton question={props.isByHand ? newScript : null} onPress={() => void start('enhance')}>
        <Icon name="i-lucide-refresh-cw" />
        Enhance again
      </AskedButton>
      <AskedButton
        kind="primary"
        disabled={price === null}
        question={props.isUploaded ? newRecording : null}
        onPress={() => void start('narrate')}
      >
        <Icon name="i-lucide-audio-lines" />
        {price === null ? 'Narrate' : `Narrate, ${price}`}
      </AskedButton>
    </div>
  )
}

function showOutcome({ state, error }: Job, work: Work): void {
  if (state === 'done') emit('nocturne:toast', { kind: 'good', title: words[work].done })
  else if (state === 'failed')
    emit('nocturne:toast', { kind: 'bad', title: words[work].failed, description: error ?? undefined })
}
