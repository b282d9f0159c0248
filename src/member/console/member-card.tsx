import { Fragment } from 'react'
import { consoleUrls } from '#src/console-urls'
import { reasonCharactersMax } from '#src/member/rules'
import { Button, ButtonLink } from '#src/ui/button'
import { Field } from '#src/ui/field'
import type { FormError } from '#src/ui/field-problem'
import { FormFields } from '#src/ui/form-fields'
import { LocalTime } from '#src/ui/local-time'
import { Notice } from '#src/ui/notice'
import { TextArea } from '#src/ui/text-area'
import type { findMemberDetail } from './look-after'

type Detail = Awaited<ReturnType<typeof findMemberDetail>>
type MemberForm = 'suspend' | 'delete'
export type RefusedForm = FormError & { form: MemberForm }
type Props = { member: Detail; problem?: RefusedForm; reason?: string }

/** One member: identity, sessions, data, and an operator's actions. */
export function MemberCard(props: Props) {
  const { member } = props
  return (
    <>
      {member.suspendedAt && (
        <Notice kind="warn">
          Suspended since <LocalTime at={member.suspendedAt} />. The member is told: {member.suspensionReason}
        </Notice>
      )}
      <div className="split split-main">
        <div className="stack">
          <Facts member={member} />
          <Sessions member={member} />
        </div>
        <div className="stack">
          <Suspension {...props} />
          <section className="panel stack" aria-labelledby="data">
            <h2 id="data">Their data</h2>
            <p className="hint">One zip: everything that is held about them, and their narrations.</p>
            <ButtonLink href={consoleUrls.apiMemberExport(member.id)} download="">
              Export
            </ButtonLink>
          </section>
          <Deletion {...props} />
        </div>
      </div>
    </>
  )
}

function Facts({ member }: { member: Detail }) {
  const { counts } = member
  const facts = [
    ['Email', member.email ?? 'None'],
    ['Name', [member.firstName, member.lastName].filter(Boolean).join(' ') || 'None'],
    ['Id', member.id],
    ['Signs in with', member.oauthProvider ?? 'Password'],
    ['Own items', counts.items === 0 ? '0' : `${counts.items}, ${counts.narrations} narrated`],
    ['Favorites', String(counts.favorites)],
    ['Votes', String(counts.votes)],
    ['Ratings', String(counts.ratings)],
    ['Challenges', String(counts.challenges)],
    ['Begun, heard or read', String(counts.started)],
  ]
  return (
    <section className="panel stack" aria-labelledby="account">
      <h2 id="account">Account</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
        <dt>Member since</dt>
        <dd>
          <LocalTime at={member.createdAt} />
        </dd>
      </dl>
    </section>
  )
}

function Sessions({ member: { id, sessions } }: { member: Detail }) {
  return (
    <section className="panel stack" aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      {sessions.length === 0 && <p className="hint">Not signed in anywhere.</p>}
      {sessions.map((session) => (
        <div key={session.id}>
          <p>{session.device}</p>
          <p className="hint">
            Last seen <LocalTime at={session.lastSeenAt} />
          </p>
        </div>
      ))}
      {sessions.length > 0 && (
        <form action={consoleUrls.memberForm(id, 'sign-out')} method="post">
          <Button type="submit">Sign out everywhere</Button>
        </form>
      )}
    </section>
  )
}

function Suspension({ member, problem, reason }: Props) {
  return (
    <section className="panel stack" aria-labelledby="suspension">
      <h2 id="suspension">Suspension</h2>
      <form className="stack" action={consoleUrls.memberForm(member.id, 'suspend')} method="post">
        <FormFields problem={problem?.form === 'suspend' ? problem : null}>
          <TextArea
            label="Reason"
            look="short"
            name="reason"
            maxLength={reasonCharactersMax}
            required
            hint="The member reads it when they sign in."
            defaultValue={reason ?? member.suspensionReason ?? ''}
          />
        </FormFields>
        <Button type="submit">{member.suspendedAt ? 'Change the reason' : 'Suspend'}</Button>
      </form>
      {member.suspendedAt && (
        <form className="stack" action={consoleUrls.memberForm(member.id, 'lift')} method="post">
          <Button kind="primary" type="submit">
            Lift the suspension
          </Button>
        </form>
      )}
    </section>
  )
}

function Deletion({ member, problem }: Props) {
  return (
    <section className="panel stack" aria-labelledby="deletion">
      <h2 id="deletion">Delete</h2>
      <p className="hint">
        At once and for good, with everything of theirs. What they did stays in the figures, without a name.
      </p>
      <form className="stack" action={consoleUrls.memberForm(member.id, 'delete')} method="post">
        <FormFields problem={problem?.form === 'delete' ? problem : null}>
          <Field label={`Type ${member.email ?? member.id}`} name="email" autoComplete="off" required />
        </FormFields>
        <Button kind="danger" type="submit">
          Delete this member
        </Button>
      </form>
    </section>
  )
}
