import { reasonCharactersMax } from '#src/member/rules'
import { notesCharactersMax } from '#src/moderation/rules'

/** What can be done to many rows of a console list at once. Browser-safe. */

/** One change: from which states it leads where, and its words. */
type Change = {
  from: readonly string[]
  to: string
  button: string
  done: string
  isDangerous?: true
  reason?: Reason
}

/** `filter` names what its list is filtered by. */
type List = { noun: string; filter: readonly string[]; changes: Record<string, Change> }

/** A text that goes with a change; people are told it. */
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
        reason: { label: 'Reason, told to who reported it', charactersMax: notesCharactersMax },
      },
      remove: {
        from: ['waiting', 'in review', 'approved'],
        to: 'removed',
        button: 'Remove',
        done: 'Content removed',
        isDangerous: true,
        reason: { label: 'Reason, told to makers and to who reported it', charactersMax: notesCharactersMax },
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
        reason: { label: 'Reason, which they are told', charactersMax: reasonCharactersMax },
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
/** Every change of any kind; `findChange` says whether a kind has it. */
export const selectionChanges = ['review', 'approve', 'remove', 'suspend', 'lift', 'retry', 'cancel'] as const
export type SelectionChange = (typeof selectionChanges)[number]

/** Each row is changed by the verb of its own button, some milliseconds each: this many fit into a request. */
export const selectedAtOnceMax = 2_000

/** A change of a kind, or null where the kind has no such change. */
export function findChange(kind: SelectionKind, change: string): Change | null {
  const changes: Record<string, Change> = selections[kind].changes
  return Object.hasOwn(changes, change) ? (changes[change] ?? null) : null
}

/** The changes of a kind, in the order of their buttons. */
export function changesOf(kind: SelectionKind): SelectionChange[] {
  return selectionChanges.filter((change) => findChange(kind, change) !== null)
}

/** By what the list of a kind is filtered; nothing for what is no kind. */
export function filterOf(given: string | undefined): readonly string[] {
  const kind = selectionKinds.find((each) => each === given)
  return kind ? selections[kind].filter : []
}
