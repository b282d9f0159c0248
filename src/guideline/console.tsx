import * as t from 'typebox'
import GuidelineList from '#islands/guideline/guideline-list'
import TryGuidelines from '#islands/guideline/try-guidelines'
import ExampleList from '#islands/model/example-list'
import { consoleUrls } from '#src/console-urls'
import { countExamples, listExamples } from '#src/example/examples'
import { examplesShown } from '#src/example/rules'
import { consolePage } from '#src/operator/console-page'
import { router } from '#src/request/router'
import { heldTab } from '#src/review/console'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { excerptCharactersMax, preview } from '#src/story/rules'
import { Stat } from '#src/ui/console/stat'
import { Tabs } from '#src/ui/console/tabs'
import { Island } from '#src/ui/island'
import { toAnswer } from './api'
import { listGuidelines } from './queries'

const tabs = ['guidelines', 'examples', 'analytics', 'held'] as const
type Tab = (typeof tabs)[number]
const tabNames: Record<Tab, string> = {
  guidelines: 'Content Guidelines',
  examples: 'Training Examples',
  analytics: 'Training Analytics',
  held: 'Held for review',
}

/** /training: the guidelines, the examples for models, and the held items. */
export function guidelineConsole(services: Services) {
  return router().get(
    '/training',
    async ({ context, query }) => {
      const { tab = 'guidelines' } = query
      const page = {
        title: 'Story Training & Content Guidelines',
        tab: tabNames[tab],
        room: 'Guidelines',
      } as const
      return consolePage(context, page, async () => {
        return (
          <>
            <Tabs
              label="Training"
              tabs={tabs.map((each) => ({
                label: tabNames[each],
                href: consoleUrls.training(each === 'guidelines' ? {} : { tab: each }),
                isCurrent: each === tab,
              }))}
            />
            {tab === 'guidelines' && (await guidelinesTab(services))}
            {tab === 'examples' && (await examplesTab(services, query.all ? undefined : examplesShown))}
            {tab === 'analytics' && (await analyticsTab(services))}
            {tab === 'held' && (await heldTab(services, { ruleId: query.rule, cursor: query.cursor }))}
          </>
        )
      })
    },
    {
      query: t.Object({
        tab: t.Optional(oneOf(tabs)),
        all: t.Optional(t.Literal('true')),
        cursor: t.Optional(t.String({ maxLength: 200 })),
        rule: t.Optional(t.String({ maxLength: 200 })),
      }),
      detail: { hide: true },
    },
  )
}

async function guidelinesTab({ db }: Services) {
  const rules = (await listGuidelines(db)).map(toAnswer)
  return (
    <div className="split split-main">
      <Island name="guideline-list" when="press" of={GuidelineList} props={{ rules }} />
      <Island name="try-guidelines" when="press" of={TryGuidelines} props={{}} />
    </div>
  )
}

async function examplesTab({ db }: Services, max?: number) {
  const rows = await listExamples(db, max)
  const examples = rows.map(({ id, inputPrompt, expectedOutput, categories, isApproved, qualityRating }) => ({
    id,
    inputPrompt: preview(inputPrompt, excerptCharactersMax),
    expectedOutput: preview(expectedOutput, excerptCharactersMax),
    categories,
    isApproved,
    qualityRating,
  }))
  return (
    <Island
      name="example-list"
      when="press"
      of={ExampleList}
      props={{ examples, count: await countExamples(db) }}
    />
  )
}

async function analyticsTab({ db }: Services) {
  const active = (await listGuidelines(db)).filter(({ isActive }) => isActive)
  const negative = active.filter(({ ruleType }) => ruleType === 'negative_keywords')
  const examples = await countExamples(db)
  return (
    <dl className="stats">
      <Stat
        icon="i-lucide-sm-shield-check"
        label="Active guidelines"
        value={active.length.toLocaleString('en')}
      />
      <Stat icon="i-lucide-sm-book-open" label="Training examples" value={examples.toLocaleString('en')} />
      <Stat
        icon="i-lucide-sm-ban"
        label="Negative-keyword rules"
        value={negative.length.toLocaleString('en')}
      />
    </dl>
  )
}
