import type { ComponentProps, ReactNode } from 'react'
import BulkPaste from '#islands/library/bulk-paste'
import SingleStory from '#islands/library/single-story'
import FeatureFlags from '#islands/operator/feature-flags'
import OperatorLogout from '#islands/operator/operator-logout'
import ExportSignups from '#islands/site/export-signups'
import { consoleUrls } from '#src/console-urls'
import type { ListedFlag } from '#src/feature-flag/schema'
import { keysOf } from '#src/shape/pick'
import { categories, singleStoryMinutes } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import { LinkCard } from '#src/ui/console/link-card'
import { Table } from '#src/ui/console/table'
import { type Tab, Tabs } from '#src/ui/console/tabs'
import { Icon } from '#src/ui/icon'
import { Island } from '#src/ui/island'
import { LocalTime } from '#src/ui/local-time'
import { TableMore } from '#src/ui/more'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import { SessionCard } from './session-card'
import type { OperatorSession } from './session-schema'

export type Signup = { id: string; email: string; source: string; createdAt: Date }

export const tabNames = {
  upload: 'Story Upload',
  overview: 'System Overview',
  signups: 'Beta Signups',
}
export type DashboardTab = keyof typeof tabNames

export function LogoutButton() {
  return <Island name="operator-logout" of={OperatorLogout} props={{}} />
}

/** The two links and the three tabs of /admin. */
export function Dashboard({
  tab,
  itemCount,
  waiting,
  firstSteps,
  children,
}: {
  tab: DashboardTab
  waiting: { held: number; reports: number }
  itemCount: number
  firstSteps: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <div className="link-cards" data-figures="links">
        <LinkCard
          icon="i-lucide-chart-line"
          name="Analytics"
          words="Use, completion, moderation"
          href={urls.analytics()}
        />
        <LinkCard
          icon="i-lucide-sparkles"
          name="Premium Content"
          words={pluralize(itemCount, 'item')}
          href={urls.premiumContent()}
        />
      </div>
      <Waiting {...waiting} />
      {firstSteps}
      <div className="section section-next">
        <Tabs label="Dashboard" tabs={listTabs(tab)} />
        {children}
      </div>
    </>
  )
}

/** Links to what waits for a decision; renders nothing if nothing does. */
function Waiting({ held, reports }: { held: number; reports: number }) {
  if (held + reports === 0) return null
  return (
    <div className="section section-next">
      <Notice kind="warn">
        Waiting for a decision:{' '}
        {held > 0 && <a href={consoleUrls.training({ tab: 'held' })}>{pluralize(held, 'held text')}</a>}
        {held > 0 && reports > 0 && ', '}
        {reports > 0 && <a href={consoleUrls.moderation()}>{pluralize(reports, 'report')}</a>}
      </Notice>
    </div>
  )
}

function listTabs(current: DashboardTab): Tab[] {
  return keysOf(tabNames).map((tab) => ({
    label: tabNames[tab],
    href: urls.admin(tab === 'upload' ? {} : { tab }),
    isCurrent: tab === current,
  }))
}

/** The form of the upload tab that was refused without a script, as it was typed. */
export type RefusedUpload = {
  story?: ComponentProps<typeof SingleStory>
  stories?: ComponentProps<typeof BulkPaste>
}

export function UploadTab({ refused: { story = {}, stories = {} } = {} }: { refused?: RefusedUpload }) {
  return (
    <div className="split split-main">
      <section className="panel stack" aria-labelledby="bulk">
        <div className="panel-head">
          <h2 id="bulk">Bulk upload</h2>
          <a
            className="btn btn-ghost btn-sm"
            href={consoleUrls.pasteTemplate()}
            download="story-template.tsv"
          >
            <Icon name="i-lucide-sm-download" />
            Template
          </a>
        </div>
        <Island name="bulk-paste" of={BulkPaste} props={stories} />
      </section>
      <section className="panel stack" aria-labelledby="single">
        <h2 id="single">Add Single Story</h2>
        <Island name="single-story" of={SingleStory} props={story} />
      </section>
    </div>
  )
}

export function OverviewTab({ flags, sessions }: { flags: ListedFlag[]; sessions: OperatorSession[] }) {
  return (
    <>
      <div className="link-cards">
        <LinkCard
          icon="i-lucide-chart-line"
          name="Analytics"
          words="Use, completion, moderation"
          href={urls.analytics()}
        />
        <LinkCard
          icon="i-lucide-sparkles"
          name="Premium Content"
          words="Library, upload, import"
          href={urls.premiumContent()}
        />
        <LinkCard
          icon="i-lucide-upload"
          name="Story Management"
          words="Paste or add stories"
          href={urls.admin()}
        />
      </div>
      <section className="section section-next panel" aria-labelledby="flags">
        <h2 id="flags">Switches</h2>
        <Island name="feature-flags" of={FeatureFlags} props={{ flags }} />
      </section>
      <SessionCard sessions={sessions} />
      <section className="section section-next panel stack">
        <h2>Quick reference</h2>
        <dl className="facts">
          <dt>Paste format</dt>
          <dd className="mono">Name | Category | Tags | Story</dd>
          <dt>Categories</dt>
          <dd>{categories.join(', ')}</dd>
          <dt>Durations</dt>
          <dd>
            {singleStoryMinutes.min} to {singleStoryMinutes.max} minutes; 15 if left empty
          </dd>
          <dt>Terminal</dt>
          <dd className="mono">nocturne stories import november.tsv --dry-run</dd>
        </dl>
      </section>
    </>
  )
}

export function SignupsTab({ signups, count }: { signups: readonly Signup[]; count: number }) {
  if (count === 0)
    return (
      <div className="empty">
        <Icon name="i-lucide-mail" />
        <p className="lead">No beta signups yet. Users will see the signup form in the sidebar.</p>
        <Island name="export-signups" of={ExportSignups} props={{}} />
      </div>
    )
  return (
    <section className="panel panel-flush" aria-labelledby="signups">
      <div className="panel-head plan-head">
        <h2 id="signups">
          Beta Signups <span className="meta">{count.toLocaleString('en')}</span>
        </h2>
        <Island name="export-signups" of={ExportSignups} props={{}} />
      </div>
      <Table label="Beta signups" columns={['Email', 'Source', 'Signup date']}>
        {signups.map(({ id, email, source, createdAt }) => (
          <tr key={id}>
            <th scope="row">{email}</th>
            <td data-label="Source">{source}</td>
            <td data-label="Signed up" className="num">
              <LocalTime at={createdAt} />
            </td>
          </tr>
        ))}
      </Table>
      {count > signups.length && (
        <TableMore href={urls.admin({ tab: 'signups', all: 'true' })}>
          Show {(count - signups.length).toLocaleString('en')} more
        </TableMore>
      )}
    </section>
  )
}
