import { operatorNameOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { describeDemo } from './plan'
import { removeDemo, restoreDemo } from './remove'
import { DemoState } from './schema'

/** API calls for the demo library of the first start. */
export function demoApi({ db }: Services) {
  return router()
    .get('/api/demo', () => describeDemo(db), {
      response: DemoState,
      ...about('library', 'What removing the demo library would do'),
    })
    .delete('/api/demo', ({ caller }) => removeDemo(db, operatorNameOf(caller)), {
      response: DemoState,
      ...about(
        'library',
        'Remove the demo library',
        'Its items are removed and its challenges unpublished. What operators have changed stays.',
        { 409: 'There is none' },
      ),
    })
    .post('/api/demo/restore', ({ caller }) => restoreDemo(db, operatorNameOf(caller)), {
      response: DemoState,
      ...about(
        'library',
        'Restore the demo library',
        'Items whose title is in the library again stay removed, and count in `takenAway`.',
        { 409: 'It was not removed, or all of its titles are in the library again' },
      ),
    })
}
