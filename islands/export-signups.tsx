import { Download } from 'lucide-react'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { saveFile } from '#islands/save-file'
import { toCsv } from '#src/csv'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'

type Signup = { email: string; source: string; createdAt: string }

/** Every signup as CSV, made in the browser (operator.md §7). */
export default function ExportSignups() {
  const save = async () => {
    const signups = await listSignups().catch((error) => {
      emit('nocturne:toast', {
        kind: 'bad',
        title: 'Error',
        description: failureWords(error, 'The signups could not be fetched. Please try again.'),
      })
      return null
    })
    if (!signups) return
    if (signups.length === 0)
      return void emit('nocturne:toast', { title: 'No Data', description: 'No signups to export' })
    const rows = signups.map(({ email, source, createdAt }) => [email, source, createdAt])
    const date = new Date().toISOString().slice(0, 10)
    saveFile(`beta-signups-${date}.csv`, 'text/csv', toCsv([['Email', 'Source', 'Signup Date'], ...rows]))
    emit('nocturne:toast', {
      kind: 'good',
      title: 'Export Successful',
      description: `Exported ${signups.length} signups`,
    })
  }
  return (
    <button className="btn btn-quiet btn-sm" type="button" onClick={save}>
      <Icon of={Download} size="sm" />
      Export CSV
    </button>
  )
}

/** Kept for a minute (operator.md §9). */
const keptMs = 60_000
let kept: { at: number; signups: Promise<Signup[]> } | null = null

function listSignups(): Promise<Signup[]> {
  if (kept && Date.now() - kept.at < keptMs) return kept.signups
  const signups = fetchSignups()
  kept = { at: Date.now(), signups }
  signups.catch(() => {
    kept = null
  })
  return signups
}

async function fetchSignups(): Promise<Signup[]> {
  const answer = await operatorCall(urls.apiAdmin('beta-signups'))
  const list = typeof answer === 'object' && answer !== null && 'signups' in answer ? answer.signups : []
  return Array.isArray(list) ? list : []
}
