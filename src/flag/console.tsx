import * as t from 'typebox'
import { Value } from 'typebox/value'
import { operatorNameOf } from '#src/http/caller'
import { redirect } from '#src/http/redirect'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { oneOf } from '#src/story/schema'
import { urls } from '#src/urls'
import { changeFlags } from './change'
import { readFlagValue } from './read-value'
import { flagNames, freeStoriesMax } from './rules'
import { FlagChanges } from './schema'

/** The flags' form without a script; they stand on /admin's System Overview. */
export function flagConsole(parts: Parts) {
  return router().post(
    '/admin/flags',
    async ({ body, caller }) => {
      const value = readFlagValue(new Map(Object.entries(body)))
      const changes = { [body.name]: value }
      if (!Value.Check(FlagChanges, changes))
        throw new Refusal(
          'invalid',
          `This takes a whole number from 0 to ${freeStoriesMax}. Go back and try again.`,
        )
      await changeFlags(parts, changes, operatorNameOf(caller))
      const location = urls.admin({ tab: 'overview', said: 'flag' })
      return redirect(location)
    },
    {
      body: t.Object({
        name: oneOf(flagNames),
        value: t.Optional(t.String({ maxLength: 20 })),
        amount: t.Optional(t.String({ maxLength: 20 })),
      }),
      detail: { hide: true },
    },
  )
}
