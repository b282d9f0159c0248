/** Registry of the changes that operators make, with a sentence for each action. Browser-safe: no imports. */

/** `one` stands for a subject whose name is no longer known. `{it}` in a sentence is the subject's name. */
const auditSubjects = {
  item: {
    one: 'an item',
    actions: {
      publish: 'published {it}',
      add: 'added {it}, unpublished',
      edit: 'edited {it}',
      remove: 'removed {it}',
      restore: 'restored {it}',
      approve: 'approved {it}, which was held',
      refuse: 'refused {it}, which was held',
      narrate: 'asked for a narration of {it}',
      upload_audio: 'uploaded a narration of {it}',
      restore_audio: 'restored an earlier narration of {it}',
      upload_timings: 'uploaded the word times of {it}',
      edit_script: 'changed the script of {it}',
      open_members_story: 'opened the text of {it}',
    },
  },
  items: {
    one: 'items',
    actions: {
      publish: 'published many items',
      unpublish: 'unpublished many items',
      remove: 'removed many items',
      restore: 'restored many items',
      undo: 'undid a change of many items',
    },
  },
  reports: {
    one: 'reports',
    actions: {
      review: 'began to review many reports',
      approve: 'decided on many reports: it stays',
      remove: 'decided on many reports: it goes',
      undo: 'undid a decision on many reports',
    },
  },
  members: {
    one: 'members',
    actions: {
      suspend: 'suspended many members',
      lift: 'lifted the suspension of many members',
      undo: 'undid a change of many members',
    },
  },
  comments: {
    one: 'comments',
    actions: { remove: 'removed many comments', undo: 'restored many comments' },
  },
  jobs: {
    one: 'jobs',
    actions: {
      retry: 'retried many jobs',
      cancel: 'cancelled many jobs',
      undo: 'undid a change of many jobs',
    },
  },
  import: {
    one: 'a sheet',
    actions: {
      import: 'imported {it}',
      undo: 'undid the import of {it}',
      empty_bin: 'emptied the bin of the import of {it}',
    },
  },
  challenge: {
    one: 'a challenge',
    actions: {
      create: 'created the challenge {it}',
      edit: 'changed the challenge {it}',
      remove: 'deleted the challenge {it}',
    },
  },
  report: {
    one: 'an item',
    actions: {
      review: 'began to review a report about {it}',
      approve: 'decided on a report about {it}: it stays',
      remove: 'decided on a report about {it}: it goes',
      reopen: 'reopened a report about {it}',
    },
  },
  guideline: {
    one: 'a guideline',
    actions: {
      add: 'added the guideline {it}',
      edit: 'changed the guideline {it}',
      activate: 'switched on the guideline {it}',
      deactivate: 'switched off the guideline {it}',
      remove: 'removed the guideline {it}',
      hold: 'held items by the guideline {it}',
      release: 'released items that the guideline {it} held',
    },
  },
  feedback: {
    one: 'an item',
    actions: { remove: 'removed a comment on {it}', restore: 'restored a comment on {it}' },
  },
  member: {
    one: 'a member',
    actions: {
      suspend: 'suspended {it}',
      'lift suspension': 'lifted the suspension of {it}',
      'sign out': 'signed {it} out everywhere',
      export: 'exported the data of {it}',
      delete: 'deleted {it}',
    },
  },
  example: {
    one: 'a training example',
    actions: {
      add: 'added the training example {it}',
      approve: 'approved the training example {it}',
      edit: 'changed the training example {it}',
      remove: 'removed the training example {it}',
    },
  },
  job: { one: 'a job', actions: { cancel: 'cancelled {it}', retry: 'retried {it}' } },
  voice: { one: 'a voice', actions: { test_audio: 'had a paragraph spoken in the voice lab' } },
  mail: { one: 'mail', actions: { test: 'sent a test mail' } },
  model: { one: 'the model', actions: { configure: 'changed the settings of the model' } },
  'feature flag': {
    one: 'a switch',
    actions: { set: 'changed the switch {it}', reset: 'reset the switch {it} to its default' },
  },
  operator: { one: 'an operator', actions: { login: 'signed in' } },
  'operator session': { one: 'all other sessions', actions: { end: 'ended {it}' } },
  'operator token': { one: 'the token', actions: { rotate: 'made a new operator token' } },
  secrets: { one: 'the secrets', actions: { accept: 'accepted new secrets of the library' } },
  library: {
    one: 'the library',
    actions: { backup: 'made a backup', restore: 'restored a backup' },
  },
  demo: {
    one: 'the demo library',
    actions: { remove: 'removed the demo library', restore: 'restored the demo library' },
  },
  analytics: {
    one: 'the figures',
    actions: { rebuild: 'recomputed the figures of all days', prune: 'deleted old events' },
  },
} as const satisfies Record<string, { one: string; actions: Record<string, string> }>

type Subjects = typeof auditSubjects
/** A kind of subject with one of its actions. */
export type AuditedAction = {
  [Subject in keyof Subjects]: { subjectType: Subject; action: keyof Subjects[Subject]['actions'] }
}[keyof Subjects]

type Recorded = { subjectType: string; action: string }

/** Whether a change recorded its rows with their earlier states, so that it can be undone. */
export function isOfMany({ subjectType, action }: Recorded): boolean {
  return manySubjects.includes(subjectType) && action !== 'undo'
}

const manySubjects = ['items', 'reports', 'members', 'comments', 'jobs']

/**
 * The sentence of a change without the subject's name, as `[before, after]`; `after` is null if the sentence has no
 * place for a name. An action that this version does not know is shown as it is recorded.
 */
export function sentenceAround({ subjectType, action }: Recorded): [string, string | null] {
  const sentence = entriesOf(subjectType)[action]
  if (sentence === undefined) return [action === subjectType ? action : `${action} ${subjectType}`, null]
  const [before = '', after] = sentence.split('{it}')
  return [before, after ?? null]
}

/**
 * The sentence of a change without its actor: "edited “The Night Ferry”", or "edited an item" if the name is not known.
 */
export function sentenceOf(change: Recorded & { name: string | null }): string {
  const [before, after] = sentenceAround(change)
  if (after === null) return before
  if (change.name !== null) return `${before}${change.name}${after}`
  const one = unnamed(change.subjectType)
  // "created the challenge Two Nights", but "created a challenge".
  const noun = `the ${one.replace(/^an? /, '')} `
  return `${before.endsWith(noun) ? before.slice(0, -noun.length) : before}${one}${after}`
}

/** The name of an actor. Members, who cancel jobs of their own, are not named. */
export function actorName(actor: string): string {
  return actor.startsWith('member:') ? 'A member' : actor
}

/** Words for a subject whose name is not known. */
function unnamed(subjectType: string): string {
  return isSubject(subjectType) ? auditSubjects[subjectType].one : subjectType
}

/** Every action as a value of the filter: `item.edit`. */
export const auditActions: readonly string[] = Object.entries(auditSubjects).flatMap(
  ([subject, { actions }]) => Object.keys(actions).map((action) => `${subject}.${action}`),
)

/** Parses a value of the filter into the kind of subject and the action. */
export function parseAction(value: string): Recorded {
  const at = value.indexOf('.')
  return { subjectType: value.slice(0, at), action: value.slice(at + 1) }
}

function entriesOf(subjectType: string): Readonly<Record<string, string | undefined>> {
  return isSubject(subjectType) ? auditSubjects[subjectType].actions : {}
}

function isSubject(name: string): name is keyof Subjects {
  return Object.hasOwn(auditSubjects, name)
}
