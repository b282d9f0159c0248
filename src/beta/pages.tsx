import { renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { urls } from '#src/urls'
import { BetaSignUp } from './schema'
import { betaThanks, signUpForBeta } from './sign-up'

/** The sign-up for the beta without JavaScript: the form posts here, and a page confirms it. */
export function betaPages(services: Services) {
  return router().post(
    '/beta-signup',
    async ({ body, context }) => {
      await signUpForBeta(services.db, body, context.caller.addressHash)
      return renderPage(context, {
        meta: { title: 'Success!', isIndexed: false },
        body: (
          <div className="empty">
            <h1 className="title-lg">Success!</h1>
            <p>{betaThanks}</p>
            <a className="btn btn-quiet" href={urls.explore()}>
              Explore Audios
            </a>
          </div>
        ),
      })
    },
    { body: BetaSignUp, detail: { hide: true } },
  )
}
