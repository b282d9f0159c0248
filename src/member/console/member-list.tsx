import { consoleUrls } from '#src/console-urls'
import { emailCharactersMax } from '#src/member/rules'
import { ConsoleBody, type ConsolePage, endsAtMsOf } from '#src/operator/console-page'
import type { RequestContext } from '#src/request/context'
import { PickBox } from '#src/selection/pick-box'
import { SelectRows } from '#src/selection/select-rows'
import { Badge } from '#src/ui/badge'
import { CountLine } from '#src/ui/console/count-line'
import { NothingHere } from '#src/ui/console/nothing-here'
import { Table } from '#src/ui/console/table'
import { Tabs } from '#src/ui/console/tabs'
import { CardPlace, rowsPage, wordRows } from '#src/ui/fragments'
import { utcWords, WrittenTime } from '#src/ui/local-time'
import type { Markup } from '#src/ui/markup'
import { TableMore } from '#src/ui/more'
import { Notice } from '#src/ui/notice'
import { SearchForm } from '#src/ui/search-form'
import type { ListedMember, MemberFilter, MemberPage } from './list-members'

export const membersConsolePage = { title: 'Members', room: 'Members' } satisfies ConsolePage

type Shown = { filter: Omit<MemberFilter, 'ids'>; done?: string }
type ListProps = Shown & Omit<MemberPage, 'members'> & { isEmpty: boolean }

/** The list of members, newest first, with a search whose address can be shared. `done` is a notice above the list. */
function MemberList({ filter: { q, state }, done, nextCursor, isEmpty, ...total }: ListProps) {
  return (
    <>
      {done && <Notice kind="good">{done}</Notice>}
      <Tabs
        label="Members"
        tabs={[
          { label: 'All', href: consoleUrls.members({ q }), isCurrent: state === undefined },
          {
            label: 'Active',
            href: consoleUrls.members({ q, state: 'active' }),
            isCurrent: state === 'active',
          },
          {
            label: 'Suspended',
            href: consoleUrls.members({ q, state: 'suspended' }),
            isCurrent: state === 'suspended',
          },
        ]}
      />
      <SearchForm
        action={consoleUrls.members()}
        label="Search members by email, name or id"
        value={q}
        maxLength={emailCharactersMax}
        hidden={{ state }}
        clearHref={q ? consoleUrls.members({ state }) : undefined}
      />
      <CountLine {...total} noun="member" />
      <section className="panel panel-flush" aria-label="List of members">
        {isEmpty ? (
          <NothingHere>{q ? 'Nobody here by that name.' : 'Nobody here yet.'}</NothingHere>
        ) : (
          <Table label="Members" columns={['Member', 'Joined', 'Last seen', 'State']}>
            <CardPlace />
          </Table>
        )}
        {nextCursor && (
          <TableMore href={consoleUrls.members({ q, state, cursor: nextCursor })}>Older members</TableMore>
        )}
      </section>
      {!isEmpty && <SelectRows kind="members" filter={{ q, state }} total={total.count} />}
    </>
  )
}

const drawPage = rowsPage(({ endsAtMs, ...props }: ListProps & { endsAtMs: number | null }) => (
  <ConsoleBody page={membersConsolePage} endsAtMs={endsAtMs}>
    <MemberList {...props} />
  </ConsoleBody>
))

/** Renders the whole page with its members. */
export function drawMembers(
  context: RequestContext,
  { page: { members, ...page }, ...shown }: Shown & { page: MemberPage },
): Markup {
  const { islandCodes } = context.services.assets.manifest
  return drawPage(islandCodes, {
    props: { ...shown, ...page, isEmpty: members.length === 0, endsAtMs: endsAtMsOf(context) },
    cards: members.map((member) => drawRow(islandCodes, rowOf(member))),
    // A search names a person, who may be deleted later, so its page is not cached.
    isPrivate: shown.filter.q !== undefined,
  })
}

function rowOf({ id, email, firstName, lastName, createdAt, lastSeenAt, suspendedAt }: ListedMember) {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  const seenAt = lastSeenAt === null ? null : new Date(lastSeenAt)
  return {
    look: { hasName: name !== '', isSeen: seenAt !== null, isSuspended: suspendedAt !== null },
    words: {
      id,
      href: consoleUrls.member(id),
      title: email ?? id,
      name,
      joinedAt: createdAt.toISOString(),
      joined: utcWords(createdAt),
      seenAt: seenAt?.toISOString() ?? '',
      seen: seenAt ? utcWords(seenAt) : '',
    },
  }
}

type Row = ReturnType<typeof rowOf>

const drawRow = wordRows(MemberRow, ['id', 'href', 'title', 'name', 'joinedAt', 'joined', 'seenAt', 'seen'])

function MemberRow({ look: { hasName, isSeen, isSuspended }, words }: Row) {
  return (
    <tr data-pick-row="">
      <th scope="row">
        <div className="pick-row">
          <PickBox id={words.id} title={words.title} />
          <div>
            <a href={words.href}>{words.title}</a>
            {hasName && <p className="meta">{words.name}</p>}
          </div>
        </div>
      </th>
      <td data-label="Joined" className="num">
        <WrittenTime at={words.joinedAt} words={words.joined} />
      </td>
      <td data-label="Last seen" className="num">
        {isSeen ? <WrittenTime at={words.seenAt} words={words.seen} /> : 'Not signed in'}
      </td>
      <td data-label="State">{isSuspended ? <Badge kind="warn">Suspended</Badge> : <Badge>Active</Badge>}</td>
    </tr>
  )
}
