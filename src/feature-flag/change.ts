import { sql } from 'drizzle-orm'
import type { Executor, Transaction } from '#db/db'
import { featureFlags } from '#db/schema'
import type { Env } from '#src/env'
import { recordChange } from '#src/operator/audit'
import type { Services } from '#src/services'
import { libraryChanged } from '#src/story/library-changed'
import { forgetFlags, isSet } from './flags'
import { flagNames } from './rules'
import type { FlagChanges, FlagValues, ListedFlag } from './schema'

type FlagServices = Pick<Services, 'db' | 'env'>
type ReadServices = Pick<Services, 'env'> & { db: Executor }

/** Lists all flags, each with its present value, its default, and the operator who changed it last. */
export async function listFlags({ db, env }: ReadServices): Promise<ListedFlag[]> {
  const rows = new Map((await db.select().from(featureFlags)).map((row) => [row.name, row]))
  const defaults = defaultsOf(env)
  return flagNames.map((name) => {
    const row = rows.get(name)
    const isDefault = !row || !isSet(row)
    return {
      name,
      value: isDefault ? defaults[name] : (row.value as FlagValues[typeof name]),
      default: defaults[name],
      isDefault,
      updatedBy: row?.updatedBy ?? null,
      updatedAt: row?.updatedAt.toISOString() ?? null,
    }
  })
}

/**
 * Sets flags, and resets those given as null to their defaults: all or none of them, one operator at a time. Takes
 * effect everywhere within seconds.
 */
export async function changeFlags(
  services: FlagServices,
  changes: FlagChanges,
  by: string,
): Promise<ListedFlag[]> {
  const { db, env } = services
  await db.transaction(async (tx) => {
    // The table is locked, since a flag that was never set has no row to lock.
    await tx.execute(sql`lock table ${featureFlags} in share row exclusive mode`)
    for (const { name, value, isDefault, default: fallback } of await listFlags({ db: tx, env })) {
      const wanted = changes[name]
      if (wanted === undefined || (wanted === null ? isDefault : !isDefault && wanted === value)) continue
      await saveFlag(tx, { name, wanted, value, fallback }, by)
    }
  })
  forgetFlags(db)
  // Cached pages show how many stories are free.
  await libraryChanged(db)
  return listFlags(services)
}

type Change = Pick<ListedFlag, 'name' | 'value'> & {
  wanted: ListedFlag['value'] | null
  fallback: ListedFlag['value']
}

/** A reset flag retains its row, so that the operator who reset it is shown. */
async function saveFlag(
  tx: Transaction,
  { name, wanted, value, fallback }: Change,
  by: string,
): Promise<void> {
  const row = { value: wanted ?? fallback, isOn: wanted !== null, updatedBy: by }
  await tx
    .insert(featureFlags)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: featureFlags.name, set: row })
  await recordChange(tx, by, {
    action: wanted === null ? 'reset' : 'set',
    subjectType: 'feature flag',
    subjectId: name,
    before: { value },
    after: { value: row.value },
  })
}

function defaultsOf(env: Pick<Env, 'freeStoryLimit'>): FlagValues {
  return {
    freeStoryLimit: env.freeStoryLimit,
    registrationOpen: true,
    modelDrafting: true,
    memberSharing: true,
    jobQueue: true,
  }
}
