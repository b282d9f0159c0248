import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { userSettings } from '#db/schema'
import { settingDefaults } from '#src/member/rules'
import { categories } from '#src/story/rules'
import { tidyLine } from '#src/text/tidy-text'
import { type Settings, type SettingsChanges, themes } from './settings-schema'

/** Finds a member's settings, with the defaults for those not set. */
export async function findSettings(db: Executor, userId: string): Promise<Settings> {
  const [row] = await db.select().from(userSettings).where(eq(userSettings.userId, userId))
  if (!row) return settingDefaults
  const { userId: _, updatedAt: __, theme, hiddenCategories, ...rest } = row
  return {
    ...rest,
    theme: themes.find((each) => each === theme) ?? null,
    hiddenCategories: categories.filter((each) => hiddenCategories.includes(each)),
  }
}

/** Saves the changes and returns all settings. */
export async function saveSettings(
  db: Executor,
  userId: string,
  { hiddenWords, hiddenCategories, ...changes }: SettingsChanges,
): Promise<Settings> {
  const merged = {
    ...changes,
    ...(hiddenWords && { hiddenWords: [...new Set(hiddenWords.map(tidyLine))].filter(Boolean) }),
    ...(hiddenCategories && { hiddenCategories: [...new Set(hiddenCategories)] }),
  }
  await db
    .insert(userSettings)
    .values({ userId, ...merged })
    .onConflictDoUpdate({ target: userSettings.userId, set: merged })
  return findSettings(db, userId)
}
