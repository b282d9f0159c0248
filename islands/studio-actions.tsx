import { AudioLines, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { type ShownJob, useJob } from '#islands/use-job'
import { reload } from '#islands/visit'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'

type Work = 'enhance' | 'narrate'
const words = {
  enhance: { busy: 'Making the script', done: 'The script is made', failed: 'The script was not made' },
  narrate: { busy: 'Narrating', done: 'The narration is ready', failed: 'The narration failed' },
} as const

/** Has the script made again, or spoken, and shows how far that is; the page comes anew once it is over. */
export default function StudioActions(props: {
  storyId: string
  voice: string
  /** "free", "about $0.81"; null where no voice is configured for it. */
  price: string | null
  running: { id: string; kind: string } | null
}) {
  const { storyId, voice, price } = props
  const [jobId, setJobId] = useState(props.running?.id ?? null)
  const [work, setWork] = useState<Work>(props.running?.kind === 'enhance' ? 'enhance' : 'narrate')
  const job = useJob(jobId, (over) => {
    setJobId(null)
    tellEnd(over, work)
    void reload()
  })

  const start = async (next: Work) => {
    setWork(next)
    try {
      const url = next === 'enhance' ? urls.apiEnhance(storyId) : urls.apiNarrate(storyId)
      const body = next === 'enhance' ? {} : { voice }
      setJobId(((await operatorCall(url, { method: 'POST', body })) as { jobId: string }).jobId)
    } catch (error) {
      const description = failureWords(error, 'Please try again.')
      emit('nocturne:toast', { kind: 'bad', title: words[next].failed, description })
    }
  }

  if (jobId) {
    const percent = Math.round((job?.progress ?? 0) * 100)
    return (
      <div className="stack-sm" role="status">
        <p className="meta num">
          {job?.state === 'running' ? `${words[work].busy}, ${percent} %` : 'Waiting its turn'}
        </p>
        <progress className="meter" value={percent} max={100} aria-label={words[work].busy} />
      </div>
    )
  }
  return (
    <div className="btn-row">
      <Button onClick={() => void start('enhance')}>
        <Icon of={RefreshCw} />
        Enhance again
      </Button>
      <Button kind="primary" disabled={price === null} onClick={() => void start('narrate')}>
        <Icon of={AudioLines} />
        {price === null ? 'Narrate' : `Narrate, ${price}`}
      </Button>
    </div>
  )
}

function tellEnd({ state, error }: ShownJob, work: Work): void {
  if (state === 'done') emit('nocturne:toast', { kind: 'good', title: words[work].done })
  else if (state === 'failed')
    emit('nocturne:toast', { kind: 'bad', title: words[work].failed, description: error ?? undefined })
}
