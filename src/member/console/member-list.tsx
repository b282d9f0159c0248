import RowSelection from '#islands/operator/row-selection'
import { emailCharactersMax } from '#src/member/rules'
import { PickBox } from '#src/selection/pick-box'
import { pluralize } from '#src/text/pluralize'
import { Badge } from '#src/ui/badge'
import { NothingHere } from '#src/ui/console/nothing-here'
import { Table } from '#src/ui/console/table'
import { Tabs } from '#src/ui/console/tabs'
import { Island } from '#src/ui/island'
import { LocalTime } from '#src/ui/local-time'
import { SearchForm } from '#src/ui/search-form'
import { urls } from '#src/urls'
import type { ListedMember, MemberFilter, MemberPage } from './list-members'

/** Members, the newest first, with a search whose address can be shared. */
export function MemberList({
  page: { members, total, nextCursor },
  filter,
}: {
  page: MemberPage
  filter: MemberFilter
}) {
  const { q, state } = filter
  return (
    <>
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
        {members.length === 0 ? (
          <NothingHere>{q ? 'Nobody here by that name.' : 'Nobody here yet.'}</NothingHere>
        ) : (
          <Table label="Members" columns={['Member', 'Joined', 'Last seen', 'State']}>
            {members.map((member) => (
              <MemberRow key={member.id} member={member} />
            ))}
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
      {members.length > 0 && (
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
