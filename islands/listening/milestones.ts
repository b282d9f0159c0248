import { milestonePercents } from '#src/listening/rules'

export type Milestone = (typeof milestonePercents)[number]

/** Returns the milestones that are reached at `fraction` (0 to 1) and were not before. */
export function listNewMilestones(fraction: number, reached: readonly Milestone[]): Milestone[] {
  return milestonePercents.filter((percent) => fraction * 100 >= percent && !reached.includes(percent))
}
