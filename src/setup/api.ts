import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { describeSetup } from './describe-setup'
import { SetupState } from './schema'

/** The first steps of a new operator. */
export function setupApi(services: Services) {
  return router().get('/api/setup', () => describeSetup(services), {
    response: SetupState,
    ...about('setup', 'What is left to do for a public site, as the program finds it'),
  })
}
