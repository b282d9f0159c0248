import { type FormEvent, useEffect, useState } from 'react'
import { withWarnings } from '#islands/library/with-warnings'
import { useUnsaved } from '#islands/navigation/use-unsaved'
import { problemOf, UserFacingError } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { toastProblem } from '#islands/runtime/or-toast'
import { useSubmit } from '#islands/runtime/use-submit'
import { consoleUrls } from '#src/console-urls'
import { LivePlan } from '#src/import/live-plan'
import type { PlanRow } from '#src/import/plan-schema'
import { type PastedLine, readPaste } from '#src/import/rows/read-paste'
import { TextArea } from '#src/ui/text-area'

/** Milliseconds: long enough to type a word, short enough to feel immediate. */
const quietMs = 400
const good: readonly PlanRow['verdict'][] = ['new', 'change', 'held']

type Plan = { text: string; rows: PlanRow[]; skipped: number }

/**
 * Pasted rows with their plan, and the upload of the valid ones. `typed` is what was sent without a script, and
 * `problem` why it was refused.
 */
export default function BulkPaste({ typed = '', problem: refused }: { typed?: string; problem?: string }) {
  const [text, setText] = useState(typed)
  useUnsaved(text.trim() !== '')
  const [plan, setPlan] = useState<Plan | null>(null)
  const [planProblem, setPlanProblem] = useState(refused)
  const { isBusy, problem, setProblem, submit } = useSubmit({
    title: 'Upload failed',
    otherwise: 'Failed to upload stories',
  })

  useEffect(() => {
    const { lines, skipped } = readPaste(text)
    if (lines.length === 0) return setPlan(skipped > 0 ? { text, rows: [], skipped } : null)
    let isStale = false
    const timer = setTimeout(async () => {
      try {
        const rows = await planLines(lines)
        if (!isStale) setPlan({ text, rows, skipped })
      } catch (error) {
        if (!isStale)
          setPlanProblem(problemOf(error, 'The plan could not be made. Please try again.').message)
      }
    }, quietMs)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [text])

  const upload = (event: FormEvent) => {
    event.preventDefault()
    const { lines } = readPaste(text)
    if (!text.trim())
      return fail('No data provided', 'Paste data with Name, Category, Tags and Story columns')
    if (lines.length === 0)
      return fail('No valid data found', 'Expected format: Name | Category | Tags | Story')
    void submit(async () => {
      const rows = plan?.text === text ? plan.rows : await planLines(lines)
      const chosen = lines.filter((_, at) => good.includes(rows[at]?.verdict ?? 'problem'))
      if (chosen.length === 0) throw new UserFacingError('None of these rows can be added. Each says why.')
      const { count, warnings } = await operatorApi('POST /api/stories/bulk', { body: { stories: chosen } })
      emit('nocturne:toast', {
        kind: 'good',
        title: 'Stories uploaded successfully',
        description: withWarnings(`${count} stories uploaded with premium SSML enhancement`, warnings),
      })
      // Rows that could not be added stay in the field, to be corrected.
      setText(linesToFix(lines, rows))
    })
  }

  const fail = (title: string, description: string) => {
    setPlanProblem(`${title}. ${description}`)
    toastProblem(title, description)
  }

  return (
    <form className="stack" action={consoleUrls.adminStories()} method="post" onSubmit={upload}>
      <TextArea
        label="Paste rows: Name, Category, Tags, Story"
        look="code"
        name="rows"
        spellCheck="false"
        hint="Tabs or pipes between the columns, one story per line."
        error={problem ? `Upload failed. ${problem.message}` : planProblem}
        value={text}
        onChange={(event) => {
          setPlanProblem(undefined)
          setProblem(null)
          setText(event.target.value)
        }}
      />
      <LivePlan rows={plan?.rows ?? []} skipped={plan?.skipped ?? 0} isBusy={isBusy} />
    </form>
  )
}

async function planLines(lines: readonly PastedLine[]): Promise<PlanRow[]> {
  const query = { dryRun: 'true' } as const
  const { rows = [] } = await operatorApi('POST /api/stories/bulk', { query, body: { stories: [...lines] } })
  return rows
}

function linesToFix(lines: readonly PastedLine[], rows: readonly PlanRow[]): string {
  return lines
    .filter((_, at) => rows[at]?.verdict === 'problem')
    .map(({ title, category, tags, story }) => [title, category, tags, story].join('\t'))
    .join('\n')
}
