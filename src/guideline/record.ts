import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { guidelineDecisions } from '#db/schema'
import { existingActor } from '#src/personal-data/existing-member'
import type { DecisionRecord } from './decide'

/** Stores decisions for the audit. `storyId` names the item, if there is one. */
export async function recordDecisions(
  db: Executor,
  decisions: readonly (DecisionRecord & { storyId?: string | null })[],
): Promise<void> {
  for (let from = 0; from < decisions.length; from += 1_000) {
    await db
      .insert(guidelineDecisions)
      .values(
        decisions
          .slice(from, from + 1_000)
          .map((each) => ({ id: newId(), ...each, actor: existingActor(each.actor) })),
      )
  }
}
