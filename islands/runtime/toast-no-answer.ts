import { emit } from '#islands/runtime/events'

/** Says that what was pressed has no code to answer it. */
export function toastNoAnswer(): void {
  emit('nocturne:toast', { kind: 'bad', title: 'Nothing answered', description: 'Please try again.' })
}
