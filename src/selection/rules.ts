import { reasonCharactersMax } from '#src/member/rules'
import { notesCharactersMax } from '#src/moderation/rules'

/** The changes that can be made to many rows of a console list at once. Browser-safe. */

/** A change: the states it leads from and to, and its words. */
type Change = {
  from: readonly string[]
  to: string
  button: string
  done: string
  isDangerous?: true
  reason?: Reason
}

/** A list whose rows can be changed; `filter` has the names of its filters. */
type List = { noun: string; filter: readonly string[]; changes: Record<string, Change> }

/** A text that is entered for a change and sent to the people concerned. */
export type Reason = { label: string; charactersMax: number }

export const selections = {
  reports: {
    noun: 'report',
    filter: ['state'],
    changes: {
      review: { from: ['waiting'], to: 'in review', button: 'Review', done: 'In review' },
      approve: {
        from: ['waiting', 'in review', 'removed'],
        to: 'approved',
        button: 'Approve',
        done: 'Content approved',
        reason: { label: 'Reason, sent to the reporter', charactersMax: notesCharactersMax },
      },
      remove: {
        from: ['waiting', 'in review', 'approved'],
        to: 'removed',
        button: 'Remove',
        done: 'Content removed',
        isDangerous: true,
        reason: { label: 'Reason, sent to makers and reporters', charactersMax: notesCharactersMax },
      },
    },
  },
  members: {
    noun: 'member',
    filter: ['q', 'state'],
    changes: {
      suspend: {
        from: ['active'],
        to: 'suspended',
        button: 'Suspend',
        done: 'Suspended',
        isDangerous: true,
        reason: { label: 'Reason, sent to them', charactersMax: reasonCharactersMax },
      },
      lift: { from: ['suspended'], to: 'active', button: 'Lift Suspension', done: 'Suspension lifted' },
    },
  },
  comments: {
    noun: 'comment',
    filter: ['item'],
    changes: {
      remove: {
        from: ['shown'],
        to: 'removed',
        button: 'Remove',
        done: 'Comments removed',
        isDangerous: true,
      },
    },
  },
  jobs: {
    noun: 'job',
    filter: ['state', 'kind'],
    changes: {
      retry: { from: ['failed', 'cancelled'], to: 'queued', button: 'Retry', done: 'Queued again' },
      cancel: { from: ['queued', 'running'], to: 'cancelled', button: 'Cancel', done: 'Cancelled' },
    },
  },
} as const satisfies Record<string, List>

type Selections = typeof selections
export type SelectionKind = keyof Selections
export const selectionKinds = ['reports', 'members', 'comments', 'jobs'] as const satisfies SelectionKind[]
/** All changes of all kinds; `findChange` tells whether a kind has one. */
export const selectionChanges = ['review', 'approve', 'remove', 'suspend', 'lift', 'retry', 'cancel'] as const
export type SelectionChange = (typeof selectionChanges)[number]

/**
 * Maximum rows of a change. Each is changed on its own and takes a few milliseconds, so this many fit into a request.
 */
export const selectedAtOnceMax = 2_000

/** Finds a change of a kind; null if the kind does not have it. */
export function findChange(kind: SelectionKind, change: string): Change | null {
  const changes: Record<string, Change> = selections[kind].changes
  return Object.hasOwn(changes, change) ? (changes[change] ?? null) : null
}

/** The changes of a kind, in the order of their buttons. */
export function changesOf(kind: SelectionKind): SelectionChange[] {
  return selectionChanges.filter((change) => findChange(kind, change) !== null)
}

/** The filters of a kind's list; none if there is no such kind. */
export function filterOf(given: string | undefined): readonly string[] {
  const kind = selectionKinds.find((each) => each === given)
  return kind ? selections[kind].filter : []
}
