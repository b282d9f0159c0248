import { useEffect, useRef, useState } from 'react'
import { openJobEvents } from '#islands/job/job-events'
import type { Job } from '#src/job/schema'

/** Returns a job, updated by server-sent events. `onOver` is called once, when it is done, failed or cancelled. */
export function useJob(id: string | null, onOver: (job: Job) => void): Job | null {
  const [job, setJob] = useState<Job | null>(null)
  const notify = useRef(onOver)
  notify.current = onOver
  useEffect(() => {
    if (!id) return
    const update = (jobs: Job[]) => {
      const found = jobs.find((each) => each.id === id)
      if (!found) return
      if (found.state === 'queued' || found.state === 'running') return setJob(found)
      events.close()
      setJob(null)
      notify.current(found)
    }
    const events = openJobEvents(update, (each) => update([each]))
    return () => events.close()
  }, [id])
  return job
}
