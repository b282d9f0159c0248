import { programEnvironment } from '#src/env'

/**
 * How PostgreSQL's programs are run: behind a prefix command, as another user, or (with neither) as the current user.
 */
export interface RunAs {
  prefix: string[]
  user?: { name: string; uid: number; gid: number }
}

export const asOurselves: RunAs = { prefix: [] }

/** Runs one of PostgreSQL's programs (`programPath`). Its output is written to the open file `output`. */
export function runProgram(
  { prefix, user }: RunAs,
  path: string,
  flags: string[],
  output: number | 'ignore',
) {
  return Bun.spawn([...prefix, path, ...flags], {
    // A session of its own: Ctrl-C in the terminal must not reach the server, which may outlive this process.
    detached: true,
    stdio: ['ignore', output, output],
    cwd: '/',
    env: programEnvironment(),
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  })
}
