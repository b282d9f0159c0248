import { Ban, BookOpen, ShieldCheck } from 'lucide-react'
import * as t from 'typebox'
import ExampleList from '#islands/example-list'
import GuidelineList from '#islands/guideline-list'
import HeldQueue from '#islands/held-queue'
import TryGuidelines from '#islands/try-guidelines'
import { countExamples, listExamples } from '#src/example/examples'
import { examplesShown } from '#src/example/rules'
import { router } from '#src/http/router'
import { consolePage } from '#src/operator/console-page'
import type { Parts } from '#src/parts'
import { excerptCharactersMax, preview } from '#src/story/rules'
import { oneOf } from '#src/story/schema'
import { Stat } from '#src/ui/console/stat'
import { Tabs } from '#src/ui/console/tabs'
import { Island } from '#src/ui/island'
import { urls } from '#src/urls'
import { toAnswer } from './api'
import { listGuidelines } from './queries'
import { listHeld } from './review'

const tabs = ['guidelines', 'examples', 'analytics', 'held'] as const
type Tab = (typeof tabs)[number]
const tabNames: Record<Tab, string> = {
  guidelines: 'Content Guidelines',
  examples: 'Training Examples',
  analytics: 'Training Analytics',
  held: 'Held for review',
}

/** /training: the rules, the examples that models are shown, and what the rules hold (operator.md §2). */
export function guidelineConsole(parts: Parts) {
  return router().get(
    '/training',
    async ({ request, context, query }) =>
      consolePage(
        parts,
        request,
        context,
        { title: 'Story Training & Content Guidelines', room: 'Guidelines' },
        async () => {
          const { tab = 'guidelines' } = query
          return (
            <>
              <Tabs
                label="Training"
                tabs={tabs.map((each) => ({
                  label: tabNames[each],
                  href: urls.training(each === 'guidelines' ? {} : { tab: each }),
                  isCurrent: each === tab,
                }))}
              />
              {tab === 'guidelines' && (await guidelinesTab(parts))}
              {tab === 'examples' && (await examplesTab(parts, query.all === 'true'))}
              {tab === 'analytics' && (await analyticsTab(parts))}
              {tab === 'held' && (await heldTab(parts, query.cursor))}
            </>
          )
        },
      ),
    {
      query: t.Object({
        tab: t.Optional(oneOf(tabs)),
        all: t.Optional(t.Literal('true')),
        cursor: t.Optional(t.String({ maxLength: 200 })),
      }),
      detail: { hide: true },
    },
  )
}

async function guidelinesTab({ db }: Parts) {
  const rules = (await listGuidelines(db)).map(toAnswer)
  return (
    <div className="split split-main">
      <Island name="guideline-list" of={GuidelineList} props={{ rules }} />
      <Island name="try-guidelines" of={TryGuidelines} props={{}} />
    </div>
  )
}

async function examplesTab({ db }: Parts, isAll: boolean) {
  const rows = await listExamples(db, isAll ? undefined : examplesShown)
  const examples = rows.map(({ id, inputPrompt, expectedOutput, categories, isApproved, qualityRating }) => ({
    id,
    inputPrompt: preview(inputPrompt, excerptCharactersMax),
    expectedOutput: preview(expectedOutput, excerptCharactersMax),
    categories,
    isApproved,
    qualityRating,
  }))
  return <Island name="example-list" of={ExampleList} props={{ examples, count: await countExamples(db) }} />
}

async function analyticsTab({ db }: Parts) {
  const active = (await listGuidelines(db)).filter(({ isActive }) => isActive)
  const negative = active.filter(({ ruleType }) => ruleType === 'negative_keywords')
  const examples = await countExamples(db)
  return (
    <dl className="stats">
      <Stat icon={ShieldCheck} label="Active guidelines" value={active.length.toLocaleString('en')} />
      <Stat icon={BookOpen} label="Training examples" value={examples.toLocaleString('en')} />
      <Stat icon={Ban} label="Negative-keyword rules" value={negative.length.toLocaleString('en')} />
    </dl>
  )
}

async function heldTab({ db }: Parts, cursor: string | undefined) {
  const { held, nextCursor } = await listHeld(db, { cursor })
  const items = held.map(({ updatedAt, ...item }) => ({ ...item, updatedAt: updatedAt.toISOString() }))
  return (
    <>
      <Island name="held-queue" of={HeldQueue} props={{ items }} />
      {nextCursor && (
        <p className="more">
          <a className="btn btn-quiet" href={urls.training({ tab: 'held', cursor: nextCursor })}>
            What waits less long
          </a>
        </p>
      )}
    </>
  )
}
