import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { findItem } from '#src/story/find-items'
import { respondPicture } from './respond-picture'
import { itemCard, type Picture, siteCard, siteId } from './rules'

/**
 * Preview pictures of links. They are the same for everyone and show only what a visitor may see, so nobody is tracked.
 */
export function picturePages(services: Services) {
  const { db, env } = services

  async function findCard(id: string): Promise<Picture> {
    if (id === siteId) return siteCard(env.siteName)
    const item = await findItem(db, { id }, 'none')
    if (!item) throw new AppError('not_found', 'There is no such picture. The item may have been removed.')
    return itemCard(item, env.siteName)
  }

  return router().get(
    '/picture/:id/:file',
    async ({ request, params }) => {
      const version = /^([0-9a-z]+)\.png$/.exec(params.file)?.[1]
      if (!version) throw new AppError('not_found', 'There is no such picture.')
      return respondPicture(services, await findCard(params.id), { request, version, audience: 'public' })
    },
    {
      params: t.Object({ id: t.String({ maxLength: 64 }), file: t.String({ maxLength: 20 }) }),
      detail: { hide: true },
    },
  )
}
