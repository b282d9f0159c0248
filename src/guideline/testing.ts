import type { Database } from '#db/db'
import { finishJob, takeJob } from '#src/job/lease'
import type { JobHandler } from '#src/job/run-job'
import { type ScanResult, scanHandler, scanKind } from '#src/review/scan'
import { type Guideline, type Guidelines, makeGuidelines } from './judge'

/** An operator's rule, for tests. */
export function testRule(keywords: string[], more: Partial<Guideline> = {}): Guideline {
  return {
    id: 'test',
    ruleType: 'negative_keywords',
    keywords,
    allowed: [],
    categories: [],
    severity: 'blocking',
    description: '',
    version: 1,
    builtIn: false,
    ...more,
  }
}

/** Runs the scans that changed rules have queued, like a server's worker. Returns the result of each. */
export async function runScans(
  db: Database,
  control: Parameters<JobHandler>[1] = { signal: new AbortController().signal, progress: () => {} },
): Promise<ScanResult[]> {
  const results: ScanResult[] = []
  for (;;) {
    const job = await takeJob(db, [scanKind])
    if (!job) return results
    const result = await scanHandler({ db })(job, control)
    await finishJob(db, job, result)
    results.push(result)
  }
}

export function testGuidelines(...rules: Guideline[]): Guidelines {
  return makeGuidelines(rules)
}
