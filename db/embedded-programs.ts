import { type Binaries, programPath } from './embedded-binaries'

/** How PostgreSQL's programs are run: behind a command, as another user, or (neither) as ourselves. */
export interface RunAs {
  prefix: string[]
  user?: { name: string; uid: number; gid: number }
}

export const asOurselves: RunAs = { prefix: [] }

/** Runs one of PostgreSQL's programs, its words going to the open file `output`. */
export function runProgram(
  { prefix, user }: RunAs,
  binaries: Binaries,
  program: 'postgres' | 'initdb' | 'pg_ctl',
  flags: string[],
  output: number | 'ignore',
) {
  return Bun.spawn([...prefix, programPath(binaries, program), ...flags], {
    // A session of its own: a Ctrl-C in the terminal is meant for us, and the server may outlive us.
    detached: true,
    stdio: ['ignore', output, output],
    cwd: '/',
    env: environment(),
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  })
}

/** None of PGDATA, PGPORT, PGOPTIONS and the like from outside, and none of our secrets. */
function environment(): Record<string, string> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', SystemRoot } = process.env
  return { PATH, LC_ALL: 'C.UTF-8', ...(SystemRoot ? { SystemRoot } : {}) }
}
