import { useEffect, useState } from 'react'
import { reload } from '#islands/navigation/visit'
import { api } from '#islands/runtime/api'
import { emit } from '#islands/runtime/events'
import type { UserContentItem } from '#src/user-story/schema'

type Narration = UserContentItem['narration']
/** As often as the worker writes its progress. */
const pollMs = 1_500

/**
 * Returns the progress of an own item's narration, polled while it is queued or running. The page reloads at the end.
 */
export function useNarration(id: string, title: string, given: Narration): Narration {
  const [job, setJob] = useState(given)
  useEffect(() => {
    if (!isOpen(given)) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    const poll = async () => {
      const now = await api('GET /api/user/content/:id/job', { path: { id } }).catch(() => given)
      if (isOver) return
      if (isOpen(now)) {
        setJob(now)
        timer = setTimeout(poll, pollMs)
        return
      }
      if (now?.state === 'done')
        emit('nocturne:toast', {
          kind: 'good',
          title: 'Your audio is ready',
          description: `${title} is in My Content`,
        })
      await reload()
    }
    timer = setTimeout(poll, pollMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [id, title, given])
  return job
}

function isOpen(job: Narration): boolean {
  return job?.state === 'queued' || job?.state === 'running'
}
