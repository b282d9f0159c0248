import type { Executor } from '#db/db'
import { AppError } from '#src/app-error'
import type { Guideline } from './judge'
import { findGuideline, type ListedGuideline } from './queries'
import { readRule } from './read-rule'
import type { GuidelineChange } from './schema'

/** A rule as it would be after a change. `id` is that of the changed rule, and empty for a new one. */
export type PlannedRule = Guideline & { isActive: boolean }

/** Builds a new rule, or a rule after a change. Throws `invalid`, `not_found` and `built_in`. */
export async function planRule(
  db: Executor,
  ruleId: string | null,
  change: GuidelineChange,
): Promise<PlannedRule> {
  if (ruleId === null) {
    const rule = readRule({ ...change, keywords: change.keywords ?? [] })
    return { id: '', version: 1, builtIn: false, ...rule, isActive: change.isActive ?? true }
  }
  const before = await requireOwnRule(db, ruleId)
  return {
    ...before,
    ...readRule({ ...written(before), ...change }),
    isActive: change.isActive ?? before.isActive,
    version: before.version + 1,
  }
}

/** Finds an operator's rule. Throws `built_in` for a built-in one, and `not_found`. */
export async function requireOwnRule(db: Executor, id: string): Promise<ListedGuideline> {
  if (id.startsWith('built-in:'))
    throw new AppError('built_in', 'This rule is built in. Add rules of your own; it cannot be removed.')
  const rule = await findGuideline(db, id)
  if (!rule) throw new AppError('not_found', 'There is no such guideline. It may have been removed.')
  return rule
}

/** The fields of a rule that operators write. */
export function written({ ruleType, keywords, allowed, categories, severity, description }: PlannedRule) {
  return {
    ruleType,
    keywords: [...keywords],
    allowed: [...allowed],
    categories: [...categories],
    severity,
    description,
  }
}
