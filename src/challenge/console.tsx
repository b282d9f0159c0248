import * as t from 'typebox'
import ChallengeEditor from '#islands/challenge/challenge-editor'
import { consoleUrls } from '#src/console-urls'
import { consolePage } from '#src/operator/console-page'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { Badge } from '#src/ui/badge'
import { ButtonLink } from '#src/ui/button'
import { NothingHere } from '#src/ui/console/nothing-here'
import { Table } from '#src/ui/console/table'
import { Icon } from '#src/ui/icon'
import { Island } from '#src/ui/island'
import { NeedsScript } from '#src/ui/needs-script'
import { listAllChallenges, missingChallenge } from './queries'

type Listed = Awaited<ReturnType<typeof listAllChallenges>>[number]

/** The page /challenge-editor: the list of challenges, and one of them to create or edit. */
export function challengeConsole(services: Services) {
  return router().get(
    '/challenge-editor',
    async ({ context, query: { id } }) => {
      const all = context.caller.operator ? await listAllChallenges(services.db) : []
      const challenge = all.find((each) => each.id === id) ?? null
      if (context.caller.operator && id !== undefined && id !== 'new' && !challenge) throw missingChallenge()
      const isEditing = id !== undefined
      const title = challenge?.name ?? (isEditing ? 'New challenge' : 'Challenges')
      const actions = !isEditing && (
        <ButtonLink kind="primary" href={consoleUrls.challengeEditor({ id: 'new' })}>
          <Icon name="i-lucide-sm-plus" />
          New challenge
        </ButtonLink>
      )
      return consolePage(context, { title, room: 'Challenges', actions }, () =>
        isEditing ? (
          <NeedsScript what="The editor of challenges">
            <Island name="challenge-editor" of={ChallengeEditor} props={{ challenge }} />
          </NeedsScript>
        ) : (
          <List challenges={all} />
        ),
      )
    },
    { query: t.Object({ id: t.Optional(t.String({ maxLength: 64 })) }), detail: { hide: true } },
  )
}

function List({ challenges }: { challenges: readonly Listed[] }) {
  return (
    <div className="panel panel-flush">
      {challenges.length === 0 ? (
        <NothingHere>No challenges yet. A challenge is a series of flows, one a day.</NothingHere>
      ) : (
        <Table label="Challenges" columns={['Name', 'State', 'Days', 'Minutes', 'Members']}>
          {challenges.map((each) => (
            <tr key={each.id}>
              <th scope="row">
                <a href={consoleUrls.challengeEditor({ id: each.id })}>
                  <strong>{each.name}</strong>
                </a>
              </th>
              <td data-label="State">
                {each.isPublished ? <Badge kind="good">Published</Badge> : <Badge kind="line">Draft</Badge>}
              </td>
              <td data-label="Days" className="num">
                {each.totalDays}
              </td>
              <td data-label="Minutes" className="num">
                {each.minutes}
              </td>
              <td data-label="Members" className="num">
                {each.members.toLocaleString('en')}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  )
}
