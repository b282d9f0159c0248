import RowSelection from '#islands/operator/row-selection'
import { emailCharactersMax } from '#src/member/rules'
import { ConsoleBody, type ConsolePage, endsAtMsOf } from '#src/operator/console-page'
import type { RequestContext } from '#src/request/context'
import { PickBox } from '#src/selection/pick-box'
import { pluralize } from '#src/text/pluralize'
import { Badge } from '#src/ui/badge'
import { NothingHere } from '#src/ui/console/nothing-here'
import { Table } from '#src/ui/console/table'
import { Tabs } from '#src/ui/console/tabs'
import { CardPlace, rowCards, rowsPage } from '#src/ui/fragments'
import { Island } from '#src/ui/island'
import { LocalTime } from '#src/ui/local-time'
import type { Markup } from '#src/ui/markup'
import { Notice } from '#src/ui/notice'
import { SearchForm } from '#src/ui/search-form'
import { urls } from '#src/urls'
import type { ListedMember, MemberFilter, MemberPage } from './list-members'

export const membersPage: ConsolePage = { title: 'Members', room: 'Members' }

type Shown = { total: MemberPage['total']; filter: MemberFilter; nextCursor: string | null; done?: string }
type MemberListProps = Shown & { isEmpty: boolean }

/** Members, the newest first, with a search whose address can be shared. */
function MemberList({ total, filter, nextCursor, isEmpty, done }: MemberListProps) {
  const { q, state } = filter
  return (
    <>
      {done && <Notice kind="good">{done}</Notice>}
      <Tabs
        label="Members"
        tabs={[
          { label: 'All', href: urls.members({ q }), isCurrent: state === undefined },
          { label: 'Active', href: urls.members({ q, state: 'active' }), isCurrent: state === 'active' },
          {
            label: 'Suspended',
            href: urls.members({ q, state: 'suspended' }),
            isCurrent: state === 'suspended',
          },
        ]}
      />
      <SearchForm
        action={urls.members()}
        label="Search members by email, name or id"
        value={q}
        maxLength={emailCharactersMax}
        hidden={{ state }}
        clearHref={q ? urls.members({ state }) : undefined}
      />
      <p className="result-line meta">{countWords(total)}</p>
      <section className="panel panel-flush" aria-label="List of members">
        {isEmpty ? (
          <NothingHere>{q ? 'Nobody here by that name.' : 'Nobody here yet.'}</NothingHere>
        ) : (
          <Table label="Members" columns={['Member', 'Joined', 'Last seen', 'State']}>
            <CardPlace />
          </Table>
        )}
        {nextCursor && (
          <p className="table-more">
            <a className="btn btn-ghost btn-sm" href={urls.members({ q, state, cursor: nextCursor })}>
              Older members
            </a>
          </p>
        )}
      </section>
      {!isEmpty && (
        <Island
          name="row-selection"
          when="press"
          presses="[data-pick]"
          of={RowSelection}
          props={{ kind: 'members', filter: { q, state }, total: total.count }}
        />
      )}
    </>
  )
}

type RowShown = Pick<ListedMember, 'id' | 'email' | 'lastSeenAt'> & {
  name: string
  createdAt: string
  isSuspended: boolean
}

const drawRows = rowCards<RowShown>(
  ({ row: { id, email, name, createdAt, lastSeenAt, isSuspended } }) => (
    <tr data-pick-row="">
      <td>
        <div className="pick-row">
          <PickBox id={id} title={email ?? id} />
          <div>
            <a href={urls.member(id)}>{email ?? id}</a>
            {name && <p className="meta">{name}</p>}
          </div>
        </div>
      </td>
      <td data-label="Joined" className="num">
        <LocalTime at={createdAt} />
      </td>
      <td data-label="Last seen" className="num">
        {lastSeenAt ? <LocalTime at={lastSeenAt} /> : 'Not signed in'}
      </td>
      <td data-label="State">{isSuspended ? <Badge kind="warn">Suspended</Badge> : <Badge>Active</Badge>}</td>
    </tr>
  ),
  JSON.parse,
)

function toRow({ id, email, firstName, lastName, createdAt, lastSeenAt, suspendedAt }: ListedMember): string {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  const row = {
    id,
    email,
    name,
    createdAt: createdAt.toISOString(),
    lastSeenAt,
    isSuspended: suspendedAt !== null,
  }
  return JSON.stringify(row satisfies RowShown)
}

const drawPage = rowsPage(({ endsAtMs, ...props }: MemberListProps & { endsAtMs: number | null }) => (
  <ConsoleBody page={membersPage} endsAtMs={endsAtMs}>
    <MemberList {...props} />
  </ConsoleBody>
))

/** The whole page with a page of members; `done` says what a form has brought about. */
export function drawMembers(
  context: RequestContext,
  { members, ...shown }: Shown & { members: readonly ListedMember[] },
): Markup {
  const { islandCodes } = context.services.assets.manifest
  const cards = drawRows(
    islandCodes,
    {},
    members.map((member) => ({ id: member.id, row: toRow(member) })),
  )
  const props = { ...shown, isEmpty: members.length === 0, endsAtMs: endsAtMsOf(context) }
  return drawPage(islandCodes, { props, cards })
}

function countWords({ count, isMore }: { count: number; isMore: boolean }): string {
  const words = pluralize(count, 'member')
  return isMore ? `More than ${words}` : words
}
