import { Value } from 'typebox/value'
import { type Executor, isUnavailable } from '#db/db'
import { featureFlags } from '#db/schema'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { type FlagName, flagNames } from './rules'
import { FlagValues } from './schema'

/** Every page asks for a flag: it is read once a second. Changes made by other instances are seen after that. */
const freshMs = 1_000

type Known = { readAt: number; values: Promise<Partial<FlagValues>> }
const known = new WeakMap<object, Known>()

/** How many stories a visitor may open: what an operator set, else FREE_STORY_LIMIT. */
export async function findFreeStoryLimit({ db, env }: Pick<Parts, 'db' | 'env'>): Promise<number> {
  return (await findSet(db)).freeStoryLimit ?? env.freeStoryLimit
}

/** Whether a switch is on; all of them are, until an operator turns them off. */
export async function isOn(db: Executor, name: Exclude<FlagName, 'freeStoryLimit'>): Promise<boolean> {
  return (await findSet(db))[name] ?? true
}

/** Refuses what an operator has switched off. */
export async function requireOn(
  db: Executor,
  name: Exclude<FlagName, 'freeStoryLimit'>,
  message: string,
): Promise<void> {
  if (!(await isOn(db, name))) throw new Refusal('forbidden', message)
}

/** After a change made here. */
export function forgetFlags(db: Executor): void {
  known.delete(db)
}

/** What operators have set. With the database away what was known last holds: a setting takes no page down. */
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

/** A row that holds: one of ours, not taken back, with a value that the flag takes. */
export function isSet({ name, value, isOn }: typeof featureFlags.$inferSelect): boolean {
  const flag = flagNames.find((each) => each === name)
  return isOn && flag !== undefined && Value.Check(FlagValues.properties[flag], value)
}
