import * as t from 'typebox'
import ChallengeDaysIsland from '#islands/challenge/challenge-days'
import { redirect } from '#src/http/redirect'
import type { RequestContext } from '#src/request/context'
import { renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { ButtonLink } from '#src/ui/button'
import { EmptyState } from '#src/ui/empty-state'
import { Icon } from '#src/ui/icon'
import { Island } from '#src/ui/island'
import { Section } from '#src/ui/section'
import { urls } from '#src/urls'
import { ChallengeCard, ChallengeOffer } from './challenge-card'
import { changeEnrolment, completeDay, joinChallenge, leaveChallenge } from './enrol'
import { findUserChallenge, listChallenges, listUserChallenges, requireChallenge } from './queries'
import { dateIn } from './rules'
import type { Challenge, UserChallenge } from './schema'

const params = t.Object({ id: t.String({ maxLength: 64 }) })
const Form = t.Object({
  act: oneOf(['join', 'pause', 'resume', 'leave', 'done'] as const),
  day: t.Optional(t.String({ pattern: '^\\d{1,3}$' })),
})

/** The page /challenges and each challenge's own page. They work without a script too. */
export function challengePages(services: Services) {
  const { db } = services
  const hide = { detail: { hide: true } }
  return router()
    .get(
      '/challenges',
      async ({ context }) => {
        const memberId = context.caller.member?.id
        const mine = memberId ? await listUserChallenges(db, memberId) : []
        return renderPage(context, {
          meta: { title: 'Challenges' },
          body: <Challenges all={await listChallenges(db, context.caller.neverShown)} mine={mine} />,
        })
      },
      hide,
    )
    .get('/challenge/:id', async ({ context, params: { id } }) => page(context, id), {
      params,
      ...hide,
    })
    .post(
      '/challenge/:id',
      async ({ caller, params: { id }, body: { act, day } }) => {
        const memberId = caller.member?.id
        if (!memberId) return redirect(urls.signIn({ next: urls.challenge(id) }))
        if (act === 'join') await joinChallenge(db, memberId, { challengeId: id, timeZone: 'UTC' })
        else if (act === 'leave') await leaveChallenge(db, memberId, id)
        else if (act === 'done') await completeDay(db, memberId, id, Number(day))
        else await changeEnrolment(db, memberId, id, { isPaused: act === 'pause' })
        return redirect(urls.challenge(id))
      },
      { params, body: Form, ...hide },
    )
}

async function page(context: RequestContext, id: string): Promise<Response> {
  const { services } = context
  const { db } = services
  const memberId = context.caller.member?.id
  const challenge = await requireChallenge(db, id, context.caller.neverShown)
  const mine = memberId ? await findUserChallenge(db, memberId, challenge.id) : null
  return renderPage(context, {
    section: 'my-content',
    meta: { title: challenge.name, description: challenge.description || undefined },
    body: (
      <>
        <header className="page-head">
          <div>
            <h1 className="title-lg">{challenge.name}</h1>
            <p className="lead">{challenge.description}</p>
          </div>
          <ButtonLink kind="ghost" href={urls.challenges()}>
            <Icon name="i-lucide-sm-chevron-left" />
            Challenges
          </ButtonLink>
        </header>
        <Island
          name="challenge-days"
          of={ChallengeDaysIsland}
          when="press"
          props={{
            challenge,
            mine,
            isMember: memberId !== undefined,
            today: dateIn(mine?.timeZone ?? 'UTC', new Date()),
          }}
        />
      </>
    ),
  })
}

function Challenges({ all, mine }: { all: readonly Challenge[]; mine: readonly UserChallenge[] }) {
  const joined = new Set(mine.map(({ id }) => id))
  const others = all.filter(({ id }) => !joined.has(id))
  return (
    <>
      <header className="page-head">
        <h1 className="title-lg">Challenges</h1>
      </header>
      {all.length === 0 && <EmptyState title="No challenges yet" words="New challenges appear here." />}
      {mine.length > 0 && (
        <section aria-labelledby="mine">
          <div className="section-head">
            <h2 className="title-md" id="mine">
              Yours
            </h2>
          </div>
          <div className="challenges">
            {mine.map((each) => (
              <ChallengeCard key={each.id} mine={each} />
            ))}
          </div>
        </section>
      )}
      {others.length > 0 && (
        <Section id="others" title={mine.length > 0 ? 'More to begin' : 'To begin'}>
          <div className="challenges">
            {others.map((each) => (
              <ChallengeOffer key={each.id} challenge={each} />
            ))}
          </div>
        </Section>
      )}
    </>
  )
}
