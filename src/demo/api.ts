import { operatorNameOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { describeDemo } from './plan'
import { DemoState } from './schema'
import { bringDemoBack, takeDemoAway } from './take-away'

/** API calls for the demo library of the first start. */
export function demoApi({ db }: Services) {
  return router()
    .get('/api/demo', () => describeDemo(db), {
      response: DemoState,
      ...about('library', 'What taking the demo library away would do'),
    })
    .delete('/api/demo', ({ caller }) => takeDemoAway(db, operatorNameOf(caller)), {
      response: DemoState,
      ...about(
        'library',
        'Take the demo library away',
        'Its items are removed and its challenges unpublished. What operators have changed stays.',
        { 409: 'There is none' },
      ),
    })
    .post('/api/demo/restore', ({ caller }) => bringDemoBack(db, operatorNameOf(caller)), {
      response: DemoState,
      ...about(
        'library',
        'Bring the demo library back',
        'What has come into the library again since stays away, and counts in `takenAway`.',
        { 409: 'It was not taken away, or all of its titles are in the library again' },
      ),
    })
}
