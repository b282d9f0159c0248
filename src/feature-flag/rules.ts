/** The feature flags. Browser-safe: no imports. */

export const freeStoriesMax = 1_000

export const flagNames = [
  'freeStoryLimit',
  'registrationOpen',
  'modelDrafting',
  'memberSharing',
  'jobQueue',
] as const
export type FlagName = (typeof flagNames)[number]
/** The flags that are either on or off. */
export type SwitchName = Exclude<FlagName, 'freeStoryLimit'>

/** The name and the effect of each flag. */
export const flagWords: Record<FlagName, { title: string; words: string }> = {
  freeStoryLimit: {
    title: 'Free stories',
    words: 'How many stories a visitor may open in 30 days before the prompt to sign up.',
  },
  registrationOpen: {
    title: 'New accounts',
    words: 'Off: nobody can join. Members sign in as always.',
  },
  modelDrafting: {
    title: 'Drafting with the model',
    words: 'Off: members write and paste; nothing is asked of the model.',
  },
  memberSharing: {
    title: 'Sharing by members',
    words: 'Off: nothing new can be shared. What is shared stays.',
  },
  jobQueue: {
    title: 'Job queue',
    words: 'Off: no job starts, so narrations and imports wait. Mails are still sent; running jobs finish.',
  },
}
