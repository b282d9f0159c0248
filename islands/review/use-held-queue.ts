import { useState } from 'react'
import { itemWords } from '#islands/guideline/guideline-preview'
import type { Scope } from '#islands/review/refuse-dialog'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import type { BulkReview, BulkReviewed, HeldItem, HoldGroup, Review } from '#src/review/schema'

export type Queue = { items: HeldItem[]; groups: HoldGroup[]; total: number }
/** The part of the queue that is shown. */
export type Query = { ruleId?: string; cursor?: string }

/** The queue and the decisions on it. After each decision the queue is read again, and `onDecided` updates the page. */
export function useHeldQueue({ query, ...shown }: Queue & { query: Query }, onDecided: () => void) {
  const [queue, setQueue] = useState<Queue>(shown)
  const { isBusy, submit } = useSubmit({ title: 'Error', otherwise: 'Please try again' })
  const decide = ({ decision }: Review, send: () => Promise<string>) =>
    submit(async () => {
      let description: string
      try {
        description = await send()
      } finally {
        // Also on failure: somebody else may have decided, or the author has changed the text.
        setQueue(await fetchQueue(query))
      }
      onDecided()
      const title = decision === 'approve' ? 'Content approved' : 'Content refused'
      emit('nocturne:toast', { title, description })
    })
  const reviewOne = ({ id, title, updatedAt }: HeldItem, review: Review) =>
    decide(review, async () => {
      await operatorApi('PATCH /api/held-content/:id', {
        path: { id },
        body: { ...review, readAt: updatedAt },
      })
      return title
    })
  const reviewMany = ({ which }: Scope, review: Review) =>
    decide(review, () => reviewAll({ ...review, ...which }))
  return { queue, isBusy, reviewOne, reviewMany }
}

/** Sends the decision repeatedly until no items remain, or a request decides none. Returns the outcome in words. */
async function reviewAll(review: BulkReview): Promise<string> {
  let decided = 0
  let last: BulkReviewed | null = null
  do {
    const before: number = last?.remaining ?? Number.POSITIVE_INFINITY
    last = await operatorApi('PATCH /api/held-content', { body: review })
    decided += last.decided
    if (last.remaining >= before) break
  } while (last.remaining > 0)
  const [first] = last.why
  return first
    ? `${itemWords(decided)}. ${itemWords(last.undecided)} stayed: ${first.message}`
    : `${itemWords(decided)}.`
}

async function fetchQueue(query: Query): Promise<Queue> {
  let total = 0
  const onResponse = ({ headers }: Response) => {
    total = Number(headers.get('x-total-count') ?? 0)
  }
  const [items, groups] = await Promise.all([
    operatorApi('GET /api/held-content', { query, onResponse }),
    operatorApi('GET /api/held-content/rules'),
  ])
  return { items, groups, total }
}
