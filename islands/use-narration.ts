import { useEffect, useState } from 'react'
import { apiCall } from '#islands/api-call'
import { emit } from '#islands/events'
import { reload } from '#islands/visit'
import type { OwnJob, UserContentItem } from '#src/creation/schema'
import { urls } from '#src/urls'

type Narration = UserContentItem['narration']
/** As often as the worker writes how far it is. */
const askMs = 1_500

/** How far the narration of an own item is, asked for while it waits or runs; the page comes anew once it is over. */
export function useNarration(id: string, title: string, given: Narration): Narration {
  const [job, setJob] = useState(given)
  useEffect(() => {
    if (!isOpen(given)) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      const now = (await apiCall(urls.apiOwnJob(id)).catch(() => given)) as OwnJob | Narration
      if (isOver) return
      if (isOpen(now)) {
        setJob(now)
        timer = setTimeout(ask, askMs)
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
    timer = setTimeout(ask, askMs)
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
