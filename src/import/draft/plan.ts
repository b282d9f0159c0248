import type { Database } from '#db/db'
import { planOnly } from '#src/import/apply'
import { gatherAudio } from '#src/import/check-file'
import { previewRows } from '#src/import/decode-rows'
import { describePlan } from '#src/import/describe-plan'
import type { Plan } from '#src/import/plan'
import type { PlanRow } from '#src/import/plan-schema'
import { findDraft } from './find'
import { readDraftFiles, readDraftRows } from './read'
import type { DraftPlan } from './schema'

/** Plans the import: every row with its verdict. Changes nothing. Throws `not_found`. */
export async function planDraft(db: Database, id: string, owner: string): Promise<DraftPlan> {
  const { plan, fileProblems } = await makePlan(db, id, owner)
  const words = await describePlan(plan)
  return {
    rows: plan.rows.flatMap(({ item, audio, admitted, problems }, at) => {
      const described = words[at]
      if (!described) return []
      return [
        {
          ...described,
          voice: item.voice,
          minutes: item.duration,
          audio: audio.map(({ voice, file, isNew }) => ({ voice, fileName: file.fileName, isNew })),
          problems: problems.map(({ field, column, message }) => ({
            field,
            ...(column && { column }),
            message,
          })),
          warnings: admitted.warnings,
        },
      ]
    }),
    counts: countWords(words),
    matchedAudio: plan.counts.matchedAudio,
    unmatchedAudio: plan.unmatchedAudio,
    fileProblems,
  }
}

/** Computes the plan of a draft, in the form that `planImport` returns. */
export async function makePlan(
  db: Database,
  id: string,
  owner: string,
): Promise<{ plan: Plan; fileProblems: string[] }> {
  await findDraft(db, id, owner)
  const [source, { files }] = await Promise.all([readDraftRows(db, id), readDraftFiles(db, id)])
  const { audio, problems } = gatherAudio(files)
  const plan = await planOnly(db, { rows: await previewRows(db, source, owner), audio })
  return { plan, fileProblems: problems.map(({ message }) => message) }
}

function countWords(rows: readonly PlanRow[]): DraftPlan['counts'] {
  const counts = { new: 0, change: 0, same: 0, held: 0, problem: 0, empty: 0 }
  for (const { verdict } of rows) counts[verdict] += 1
  return counts
}
