import * as t from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '#src/app-error'
import { consoleUrls } from '#src/console-urls'
import { readFlagValue } from '#src/feature-flag/value-rules'
import { redirect } from '#src/http/redirect'
import { operatorNameOf } from '#src/request/caller'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { urls } from '#src/urls'
import { changeFlags } from './change'
import { flagNames, freeStoriesMax } from './rules'
import { FlagChanges } from './schema'

/**
 * The form of a flag without a script. The flags are on the System Overview of /admin; that of the queue is on /jobs.
 */
export function flagConsole(services: Services) {
  return router().post(
    '/admin/flags',
    async ({ body, caller }) => {
      const value = readFlagValue(new Map(Object.entries(body)))
      const changes = { [body.name]: value }
      if (!Value.Check(FlagChanges, changes))
        throw new AppError(
          'invalid',
          `This takes a whole number from 0 to ${freeStoriesMax}. Go back and try again.`,
        )
      await changeFlags(services, changes, operatorNameOf(caller))
      return redirect(
        body.from === 'jobs' ? consoleUrls.jobs() : urls.admin({ tab: 'overview', said: 'flag' }),
      )
    },
    {
      body: t.Object({
        name: oneOf(flagNames),
        value: t.Optional(t.String({ maxLength: 20 })),
        amount: t.Optional(t.String({ maxLength: 20 })),
        /** The page of the form, if not System Overview. */
        from: t.Optional(t.Literal('jobs')),
      }),
      detail: { hide: true },
    },
  )
}
