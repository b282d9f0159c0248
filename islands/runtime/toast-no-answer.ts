import { emit } from '#islands/runtime/events'

/** Tells the person that a press had no effect because its code did not load. */
export function toastNoAnswer(): void {
  emit('nocturne:toast', {
    kind: 'bad',
    title: 'The server did not answer',
    description: 'Please try again.',
  })
}
