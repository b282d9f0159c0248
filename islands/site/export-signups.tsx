import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { orToast } from '#islands/runtime/or-toast'
import { saveCsv } from '#islands/runtime/save-csv'
import { Icon } from '#src/ui/icon'

type Signup = { email: string; source: string; createdAt: string }

/** Exports all signups as CSV, created in the browser. */
export default function ExportSignups() {
  const save = async () => {
    const signups = await orToast(listSignups, {
      title: 'Error',
      otherwise: 'The signups could not be fetched. Please try again.',
    })
    if (!signups) return
    if (signups.length === 0)
      return void emit('nocturne:toast', { title: 'No Data', description: 'No signups to export' })
    const rows = signups.map(({ email, source, createdAt }) => [email, source, createdAt])
    const date = new Date().toISOString().slice(0, 10)
    await saveCsv(`beta-signups-${date}.csv`, [['Email', 'Source', 'Signup Date'], ...rows])
    emit('nocturne:toast', {
      kind: 'good',
      title: 'Export Successful',
      description: `Exported ${signups.length} signups`,
    })
  }
  return (
    <button className="btn btn-quiet btn-sm" type="button" onClick={save}>
      <Icon name="i-lucide-sm-download" />
      Export CSV
    </button>
  )
}

/** How long the signups are cached. */
const cachedMs = 60_000
let cached: { at: number; signups: Promise<Signup[]> } | null = null

function listSignups(): Promise<Signup[]> {
  if (cached && Date.now() - cached.at < cachedMs) return cached.signups
  const signups = fetchSignups()
  cached = { at: Date.now(), signups }
  signups.catch(() => {
    cached = null
  })
  return signups
}

async function fetchSignups(): Promise<Signup[]> {
  const { signups } = await operatorApi('GET /api/admin/beta-signups')
  return signups
}
