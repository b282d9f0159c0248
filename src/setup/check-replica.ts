import type { Database } from '#db/db'
import { type ReplicaState, replicaLagSecondsMax } from '#db/replica'
import type { Finding } from './schema'

/** Checks whether lists and pages are read from the replica of DATABASE_REPLICA_URL, if there is one. */
export async function checkReplica(db: Database): Promise<Finding[]> {
  if (!db.replica) return []
  const { watch } = db.replica
  const state = await watch.measure()
  const lagSeconds = watch.lagSeconds() ?? 0
  const subject = 'replica'
  if (state === 'ready')
    return [{ subject, isRight: true, what: `read from, ${lagSeconds.toFixed(1)} s behind the primary` }]
  return [{ subject, isRight: false, ...replicaWords[state] }]
}

const replicaWords: Record<Exclude<ReplicaState, 'ready'>, Pick<Finding, 'what' | 'mend'>> = {
  unknown: { what: 'it was not measured.', mend: 'Run this again.' },
  behind: {
    what: `it is more than ${replicaLagSecondsMax} s behind, and not read from.`,
    mend: 'Look at pg_stat_replication on the primary: slow disk or network, or a long query on the standby.',
  },
  away: {
    what: 'it does not answer; everything is read from the primary.',
    mend: 'Check DATABASE_REPLICA_URL, that the standby is up, and that its pg_hba.conf lets this user in.',
  },
  'no standby': {
    what: 'it is no streaming standby of this database, and not read from.',
    mend: 'Set DATABASE_REPLICA_URL to one, made with pg_basebackup, or unset it.',
  },
}
