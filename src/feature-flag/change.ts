import type { Database } from '#db/db'
import { featureFlags } from '#db/schema'
import type { Env } from '#src/env'
import { recordChange } from '#src/operator/audit'
import type { Services } from '#src/services'
import { libraryChanged } from '#src/story/library-changed'
import { forgetFlags, isSet } from './flags'
import { flagNames } from './rules'
import type { FlagChanges, FlagValues, ListedFlag } from './schema'

type FlagServices = Pick<Services, 'db' | 'env'>

/** All flags: the present value, the default, and the operator who changed each last. */
export async function listFlags({ db, env }: FlagServices): Promise<ListedFlag[]> {
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

/** Sets flags, or resets those given null to their defaults. Takes effect everywhere within seconds. */
export async function changeFlags(
  services: FlagServices,
  changes: FlagChanges,
  by: string,
): Promise<ListedFlag[]> {
  const { db } = services
  for (const { name, value, isDefault, default: fallback } of await listFlags(services)) {
    const wanted = changes[name]
    if (wanted === undefined || (wanted === null ? isDefault : !isDefault && wanted === value)) continue
    await saveFlag(db, { name, wanted, value, fallback }, by)
  }
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
async function saveFlag(db: Database, { name, wanted, value, fallback }: Change, by: string): Promise<void> {
  const row = { value: wanted ?? fallback, isOn: wanted !== null, updatedBy: by }
  await db.transaction(async (tx) => {
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
