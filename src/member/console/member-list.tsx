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

export const membersConsolePage = { title: 'Members', room: 'Members' } satisfies ConsolePage

type Shown = { filter: Omit<MemberFilter, 'ids'>; done?: string }
type ListProps = Shown & Omit<MemberPage, 'members'> & { isEmpty: boolean }

/** Members, the newest first, with a search whose address can be shared. `done` is said above them. */
function MemberList({ filter: { q, state }, done, total, nextCursor, isEmpty }: ListProps) {
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

const drawPage = rowsPage(({ endsAtMs, ...props }: ListProps & { endsAtMs: number | null }) => (
  <ConsoleBody page={membersConsolePage} endsAtMs={endsAtMs}>
    <MemberList {...props} />
  </ConsoleBody>
))

const drawRows = rowCards<ListedMember>(({ row }) => <MemberRow member={row} />)

/** The whole page with its members. */
export async function drawMembers(
  context: RequestContext,
  { page: { members, ...page }, ...shown }: Shown & { page: MemberPage },
): Promise<Markup> {
  const { islandCodes } = context.services.assets.manifest
  const rows = members.map((member) => ({ id: member.id, version: JSON.stringify(member) }))
  return drawPage(islandCodes, {
    props: { ...shown, ...page, isEmpty: members.length === 0, endsAtMs: endsAtMsOf(context) },
    cards: await drawRows(islandCodes, {}, rows, async () => members),
  })
}

function MemberRow({ member }: { member: ListedMember }) {
  const name = [member.firstName, member.lastName].filter(Boolean).join(' ')
  return (
    <tr data-pick-row="">
      <td>
        <div className="pick-row">
          <PickBox id={member.id} title={member.email ?? member.id} />
          <div>
            <a href={urls.member(member.id)}>{member.email ?? member.id}</a>
            {name && <p className="meta">{name}</p>}
          </div>
        </div>
      </td>
      <td data-label="Joined" className="num">
        <LocalTime at={member.createdAt} />
      </td>
      <td data-label="Last seen" className="num">
        {member.lastSeenAt ? <LocalTime at={member.lastSeenAt} /> : 'Not signed in'}
      </td>
      <td data-label="State">
        {member.suspendedAt ? <Badge kind="warn">Suspended</Badge> : <Badge>Active</Badge>}
      </td>
    </tr>
  )
}

function countWords({ count, isMore }: MemberPage['total']): string {
  const words = pluralize(count, 'member')
  return isMore ? `More than ${words}` : words
}
