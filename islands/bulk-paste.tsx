import { type FormEvent, useEffect, useState } from 'react'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { LivePlan } from '#src/import/live-plan'
import type { PlanRow } from '#src/import/plan-words'
import { type PastedLine, readPaste } from '#src/import/read-paste'
import { TextArea } from '#src/ui/text-area'
import { urls } from '#src/urls'

/** Long enough to type a word, short enough to seem at once. */
const quietMs = 400
const good: readonly PlanRow['verdict'][] = ['new', 'change', 'held']

type Plan = { text: string; rows: PlanRow[]; skipped: number }

/** Pasted rows with the plan of what would become of them, and the upload of those that are right. */
export default function BulkPaste() {
  const [text, setText] = useState('')
  const [plan, setPlan] = useState<Plan | null>(null)
  const [problem, setProblem] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    const { lines, skipped } = readPaste(text)
    if (lines.length === 0) return setPlan(skipped > 0 ? { text, rows: [], skipped } : null)
    let isStale = false
    const timer = setTimeout(async () => {
      try {
        const rows = await planLines(lines)
        if (!isStale) setPlan({ text, rows, skipped })
      } catch (error) {
        if (!isStale) setProblem(failureWords(error, 'The plan could not be made. Please try again.'))
      }
    }, quietMs)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [text])

  const upload = async (event: FormEvent) => {
    event.preventDefault()
    const { lines } = readPaste(text)
    if (!text.trim())
      return fail('No data provided', 'Paste data with Name, Category, Tags and Story columns')
    if (lines.length === 0)
      return fail('No valid data found', 'Expected format: Name | Category | Tags | Story')
    setBusy(true)
    try {
      const rows = plan?.text === text ? plan.rows : await planLines(lines)
      const chosen = lines.filter((_, at) => good.includes(rows[at]?.verdict ?? 'problem'))
      if (chosen.length === 0) return fail('Upload failed', 'No row of this can be added. Each says why.')
      const answer = await operatorCall(urls.apiStoriesBulk(), { method: 'POST', body: { stories: chosen } })
      emit('nocturne:toast', {
        kind: 'good',
        title: 'Stories uploaded successfully',
        description: `${countOf(answer)} stories uploaded with premium SSML enhancement`,
      })
      // What could not be added stays in the box, to be mended.
      setText(linesToMend(lines, rows))
    } catch (error) {
      fail('Upload failed', failureWords(error, 'Failed to upload stories'))
    } finally {
      setBusy(false)
    }
  }

  const fail = (title: string, description: string) => {
    setBusy(false)
    setProblem(`${title}. ${description}`)
    emit('nocturne:toast', { kind: 'bad', title, description })
  }

  return (
    <form className="stack" action={urls.adminStories()} method="post" onSubmit={upload}>
      <TextArea
        label="Paste rows: Name, Category, Tags, Story"
        look="code"
        name="rows"
        spellCheck={false}
        hint="Tabs or pipes between the columns, one story a line."
        error={problem}
        value={text}
        onChange={(event) => {
          setProblem(undefined)
          setText(event.target.value)
        }}
      />
      <LivePlan rows={plan?.rows ?? []} skipped={plan?.skipped ?? 0} isBusy={isBusy} />
    </form>
  )
}

async function planLines(lines: readonly PastedLine[]): Promise<PlanRow[]> {
  const answer = await operatorCall(urls.apiStoriesBulk({ dryRun: 'true' }), {
    method: 'POST',
    body: { stories: lines },
  })
  const rows = typeof answer === 'object' && answer !== null && 'rows' in answer ? answer.rows : []
  return Array.isArray(rows) ? rows : []
}

function linesToMend(lines: readonly PastedLine[], rows: readonly PlanRow[]): string {
  return lines
    .filter((_, at) => rows[at]?.verdict === 'problem')
    .map(({ title, category, tags, story }) => [title, category, tags, story].join('\t'))
    .join('\n')
}

function countOf(answer: unknown): number {
  const count = typeof answer === 'object' && answer !== null && 'count' in answer ? answer.count : 0
  return typeof count === 'number' ? count : 0
}
