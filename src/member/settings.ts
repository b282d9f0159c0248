import { eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { userSettings } from '#db/schema'
import { categories } from '#src/story/rules'
import { tidyLine } from '#src/story/tidy-text'
import { type Settings, type SettingsChanges, themes } from './settings-schema'

const defaults: Settings = {
  emailNotifications: true,
  pushNotifications: false,
  autoPlayNext: true,
  playbackSpeed: 1,
  theme: null,
  discreetMode: false,
  hiddenCategories: [],
  hiddenWords: [],
}

/** What a member has chosen; the defaults where nothing was. */
export async function findSettings(db: Executor, userId: string): Promise<Settings> {
  const [row] = await db.select().from(userSettings).where(eq(userSettings.userId, userId))
  if (!row) return defaults
  const { userId: _, updatedAt: __, theme, hiddenCategories, ...rest } = row
  return {
    ...rest,
    theme: themes.find((each) => each === theme) ?? null,
    hiddenCategories: categories.filter((each) => hiddenCategories.includes(each)),
  }
}

/** Saves what has changed and answers all of it. */
export async function saveSettings(
  db: Executor,
  userId: string,
  { hiddenWords, hiddenCategories, ...changes }: SettingsChanges,
): Promise<Settings> {
  const kept = {
    ...changes,
    ...(hiddenWords && { hiddenWords: [...new Set(hiddenWords.map(tidyLine))].filter(Boolean) }),
    ...(hiddenCategories && { hiddenCategories: [...new Set(hiddenCategories)] }),
  }
  await db
    .insert(userSettings)
    .values({ userId, ...kept })
    .onConflictDoUpdate({ target: userSettings.userId, set: { ...kept, updatedAt: sql`now()` } })
  return findSettings(db, userId)
}
