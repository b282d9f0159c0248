import { useEffect, useRef, useState } from 'react'
import type { shownJob } from '#src/job/events'
import { urls } from '#src/urls'

export type ShownJob = ReturnType<typeof shownJob>

/** A job as it runs, told by the server; `onOver` is called once when it is done, failed or cancelled. */
export function useJob(id: string | null, onOver: (job: ShownJob) => void): ShownJob | null {
  const [job, setJob] = useState<ShownJob | null>(null)
  const tell = useRef(onOver)
  tell.current = onOver
  useEffect(() => {
    if (!id) return
    const events = new EventSource(urls.apiJobEvents())
    const take = (jobs: ShownJob[]) => {
      const found = jobs.find((each) => each.id === id)
      if (!found) return
      if (found.state === 'queued' || found.state === 'running') return setJob(found)
      events.close()
      setJob(null)
      tell.current(found)
    }
    events.addEventListener('jobs', ({ data }) => take(JSON.parse(data)))
    events.addEventListener('job', ({ data }) => take([JSON.parse(data)]))
    return () => events.close()
  }, [id])
  return job
}
