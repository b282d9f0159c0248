import { programEnvironment } from '#src/env'

/** How PostgreSQL's programs are run: behind a command, as another user, or (neither) as ourselves. */
export interface RunAs {
  prefix: string[]
  user?: { name: string; uid: number; gid: number }
}

export const asOurselves: RunAs = { prefix: [] }

/** Runs one of PostgreSQL's programs (`programPath`), its output going to the open file `output`. */
export function runProgram(
  { prefix, user }: RunAs,
  path: string,
  flags: string[],
  output: number | 'ignore',
) {
  return Bun.spawn([...prefix, path, ...flags], {
    // A session of its own: a Ctrl-C in the terminal is meant for us, and the server may outlive us.
    detached: true,
    stdio: ['ignore', output, output],
    cwd: '/',
    env: programEnvironment(),
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  })
}
