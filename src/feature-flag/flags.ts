import { Value } from 'typebox/value'
import type { Executor } from '#db/db'
import { isUnavailable } from '#db/failures'
import { featureFlags } from '#db/schema'
import { AppError } from '#src/app-error'
import type { Services } from '#src/services'
import { flagNames, type SwitchName } from './rules'
import { FlagValues } from './schema'

/** Every page reads a flag, so they are cached for a second. Changes by other instances are seen after that. */
const freshMs = 1_000

type Known = { readAt: number; values: Promise<Partial<FlagValues>> }
const known = new WeakMap<object, Known>()

/** How many stories a visitor may open: the operators' setting, or FREE_STORY_LIMIT. */
export async function findFreeStoryLimit({ db, env }: Pick<Services, 'db' | 'env'>): Promise<number> {
  return (await findSet(db)).freeStoryLimit ?? env.freeStoryLimit
}

/** Whether a switch is on; the default is on. */
export async function isFeatureOn(db: Executor, name: SwitchName): Promise<boolean> {
  return (await findSet(db))[name] ?? true
}

/** Throws if an operator has switched the feature off. */
export async function requireOn(db: Executor, name: SwitchName, message: string): Promise<void> {
  if (!(await isFeatureOn(db, name))) throw new AppError('forbidden', message)
}

/** Clears the cache, after a change made in this process. */
export function forgetFlags(db: Executor): void {
  known.delete(db)
}

/**
 * Returns the values that operators have set. While the database is unavailable the last known ones are used, since a
 * setting must not make a page fail.
 */
function findSet(db: Executor): Promise<Partial<FlagValues>> {
  const last = known.get(db)
  if (last && performance.now() - last.readAt < freshMs) return last.values
  const values = readSet(db).catch((error) => {
    if (isUnavailable(error)) return last?.values ?? {}
    known.delete(db)
    throw error
  })
  known.set(db, { readAt: performance.now(), values })
  return values
}

async function readSet(db: Executor): Promise<Partial<FlagValues>> {
  const rows = await db.select().from(featureFlags)
  return Object.fromEntries(rows.filter(isSet).map(({ name, value }) => [name, value]))
}

/** Whether a row sets a known flag, which was not reset, to a value that the flag accepts. */
export function isSet({ name, value, isOn }: typeof featureFlags.$inferSelect): boolean {
  const flag = flagNames.find((each) => each === name)
  return isOn && flag !== undefined && Value.Check(FlagValues.properties[flag], value)
}
