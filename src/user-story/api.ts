import * as t from 'typebox'
import { requireUserContent } from '#src/my-content/queries'
import { memberOf } from '#src/request/caller'
import { about, jsonAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { checkText } from './check'
import { createUserStory } from './create'
import { draftFor } from './drafts'
import { editUserStory } from './edit'
import { findLimits } from './limits'
import { cancelOwn, findOwnJob, narrateOwn } from './narrate-own'
import { removeOwn } from './remove'
import {
  DraftAnswer,
  DraftRequest,
  Hint,
  MemberLimits,
  OwnJob,
  SavedUserStory,
  TextToCheck,
  UserContentItem,
  UserStoryDraft,
  UserStoryEdit,
} from './schema'
import { shareOwn, unshareOwn } from './share'

const params = t.Object({ id: t.String({ maxLength: 64 }) })
const done = t.Object({ success: t.Boolean() })

/** API calls that create, narrate, share and draft members' own items. Ownership is part of every query. */
export function userStoryApi(services: Services) {
  const { db, env } = services
  return router()
    .post(
      '/api/user/content',
      async ({ caller, body, status }) => {
        const memberId = memberOf(caller).id
        const { id, warnings } = await createUserStory(services, memberId, body)
        return status(201, { ...(await requireUserContent(db, memberId, id)), warnings })
      },
      {
        body: UserStoryDraft,
        response: { 201: SavedUserStory },
        ...about(
          'creations',
          'Make an item of my own',
          'Seen by nobody else until it is shared. With `narrate` it is narrated at once, as far as the daily limit allows.',
        ),
      },
    )
    .post(
      '/api/user/content/check',
      async ({ caller, body }) => ({ hints: await checkText(db, memberOf(caller).id, body) }),
      {
        body: TextToCheck,
        response: t.Object({ hints: t.Array(Hint) }),
        ...about('creations', 'Read what the guidelines say of a text', 'Nothing is stored.'),
      },
    )
    .get(
      '/api/user/content/:id',
      async ({ caller, params: { id } }) => requireUserContent(db, memberOf(caller).id, id),
      {
        params,
        response: UserContentItem,
        ...about('creations', 'Read an item of my content', 'An own item, or a saved one.'),
      },
    )
    .put(
      '/api/user/content/:id',
      async ({ caller, params: { id }, body, context: { seen } }) => {
        const memberId = memberOf(caller).id
        const { warnings } = await editUserStory(services, memberId, id, { ...body, seen })
        return { ...(await requireUserContent(db, memberId, id)), warnings }
      },
      {
        params,
        body: UserStoryEdit,
        response: SavedUserStory,
        ...about(
          'creations',
          'Edit an item of my own',
          'What you leave out stays. A shared one whose text changes waits for review again.',
        ),
      },
    )
    .delete(
      '/api/user/content/:id',
      async ({ caller, params: { id } }) => {
        await removeOwn(db, memberOf(caller).id, id)
        return { success: true }
      },
      {
        params,
        response: done,
        ...about('creations', 'Delete an item of my own', 'With its narration, for good.'),
      },
    )
    .post(
      '/api/user/content/:id/narrate',
      async ({ caller, params: { id }, body, status }) =>
        status(201, await narrateOwn(services, memberOf(caller).id, id, body.voice)),
      {
        params,
        body: t.Object({ voice: UserStoryDraft.properties.voice }),
        response: { 201: OwnJob },
        ...about(
          'creations',
          'Have an item of my own narrated',
          'A narration that failed is tried again without counting for the day.',
          { 409: 'It is being narrated already, or is held' },
        ),
      },
    )
    .get(
      '/api/user/content/:id/job',
      async ({ caller, params: { id } }) => jsonAnswer(await findOwnJob(db, memberOf(caller).id, id)),
      {
        params,
        response: t.Union([OwnJob, t.Null()]),
        ...about(
          'creations',
          'See how far the narration of an item of mine is',
          'Null where there was none.',
        ),
      },
    )
    .delete(
      '/api/user/content/:id/job',
      async ({ caller, params: { id } }) => {
        await cancelOwn(services, memberOf(caller).id, id)
        return { success: true }
      },
      {
        params,
        response: done,
        ...about('creations', 'Stop the narration of an item of mine', undefined, {
          409: 'Nothing of it is being narrated',
        }),
      },
    )
    .post(
      '/api/user/content/:id/share',
      async ({ caller, params: { id } }) => {
        const memberId = memberOf(caller).id
        await shareOwn(services, memberId, id)
        return requireUserContent(db, memberId, id)
      },
      {
        params,
        response: UserContentItem,
        ...about(
          'creations',
          'Ask for an item of mine to be shared',
          'It waits for an operator, and is seen by others once it is approved.',
          { 409: 'It is held for another reason' },
        ),
      },
    )
    .delete(
      '/api/user/content/:id/share',
      async ({ caller, params: { id } }) => {
        const memberId = memberOf(caller).id
        await unshareOwn(services, memberId, id)
        return requireUserContent(db, memberId, id)
      },
      {
        params,
        response: UserContentItem,
        ...about('creations', 'Make a shared item of mine private again'),
      },
    )
    .get('/api/user/limits', async ({ caller }) => findLimits(db, env, memberOf(caller).id), {
      response: MemberLimits,
      ...about('creations', 'See what is left to me today'),
    })
    .post(
      '/api/drafts',
      async ({ caller, body, request }) => draftFor(services, memberOf(caller).id, body, request.signal),
      {
        body: DraftRequest,
        response: DraftAnswer,
        ...about(
          'creations',
          'Have a story drafted from a prompt',
          'By the configured model. Nothing is stored but that there was a draft.',
        ),
      },
    )
}
