import type { ReactNode } from 'react'
import { consoleUrls } from '#src/console-urls'
import { goingWords } from '#src/demo/demo-words'
import type { DemoState } from '#src/demo/schema'
import { LibraryWays } from '#src/library/library-ways'
import { pluralize } from '#src/text/pluralize'
import { EmailField } from '#src/ui/account-fields'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import type { SetupState, SetupStep } from './schema'

/** The input of the test mail's form, and why it was refused. */
type TestMail = { email?: string; error?: string }

/** The page with the first items, the demo library, and the steps to a public site. */
export function SetupPage({ setup, demo, mail }: { setup: SetupState; demo: DemoState; mail: TestMail }) {
  return (
    <>
      {setup.isLibraryEmpty && (
        <section className="stack" aria-labelledby="ways">
          <h2 id="ways" className="title-sm">
            Your first items
          </h2>
          <LibraryWays />
        </section>
      )}
      <section className="section section-next panel stack" aria-labelledby="steps">
        <div className="panel-head">
          <h2 id="steps">The way to a public site</h2>
          <span className="meta">{stepWords(setup.steps)}</span>
        </div>
        <ol className="guide">
          {setup.steps.map((step) => (
            <Step key={step.title} step={step} />
          ))}
        </ol>
        <p className="hint">
          Checked each time this page is opened, and by <span className="mono">nocturne doctor</span>.
        </p>
      </section>
      <MailPanel mail={mail} />
      <DemoPanel demo={demo} />
    </>
  )
}

/** "2 of 5 done" */
export function stepWords(steps: readonly SetupStep[]): string {
  return `${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`
}

function Step({ step }: { step: SetupStep }) {
  const { what, mend } = step.finding
  return (
    <li>
      <div>
        <b>{step.title}</b> <StepBadge step={step} />
        <p>{sentence(what)}</p>
        {mend && <p>{mend}</p>}
      </div>
    </li>
  )
}

function StepBadge({ step: { isDone, finding } }: { step: SetupStep }) {
  if (isDone) return <Badge kind="good">done</Badge>
  return finding.isRight ? <Badge kind="line">to do</Badge> : <Badge kind="bad">wrong</Badge>
}

function sentence(words: string): string {
  const start = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(start) ? start : `${start}.`
}

/** Form that sends a mail to the operator's own address; if it arrives, all mails do. */
function MailPanel({ mail: { email, error } }: { mail: TestMail }) {
  return (
    <section className="section section-next panel stack" aria-labelledby="mail-title">
      <h2 id="mail-title">Try the mail</h2>
      <form className="one-field" action={consoleUrls.setupMail()} method="post">
        <EmailField label="Your email" defaultValue={email} error={error} required />
        <Button type="submit">Send a test mail</Button>
      </form>
    </section>
  )
}

/** Plain forms that remove the demo library with one press, after showing what goes, and that restore it. */
function DemoPanel({ demo }: { demo: DemoState }) {
  const { stories, flows, kept, takenAway } = demo
  if (stories + flows + takenAway === 0) return null
  return (
    <section className="section section-next panel stack" id="demo" aria-labelledby="demo-title">
      <h2 id="demo-title">The demo library</h2>
      {stories + flows > 0 && (
        <>
          <p>
            The first start added {goingWords(demo)}. If you remove them, they leave every list at once. If
            you bring them back, they have the members’ saves and ratings again.
          </p>
          {kept.length > 0 && (
            <details>
              <summary>{pluralize(kept.length, 'demo item')} would stay</summary>
              <ul>
                {kept.map(({ id, title, reason }) => (
                  <li key={id}>
                    {title}: {reason}
                  </li>
                ))}
              </ul>
            </details>
          )}
          <DemoForm action="remove">{`Remove ${goingWords(demo)}`}</DemoForm>
        </>
      )}
      {takenAway > 0 && (
        <>
          <p>
            {pluralize(takenAway, 'demo item')} {takenAway === 1 ? 'was' : 'were'} removed.
          </p>
          <DemoForm action="restore">Bring the demo back</DemoForm>
        </>
      )}
    </section>
  )
}

function DemoForm({ action, children }: { action: 'remove' | 'restore'; children: ReactNode }) {
  return (
    <form action={consoleUrls.setupDemo()} method="post">
      <Button type="submit" name="action" value={action}>
        {children}
      </Button>
    </form>
  )
}
