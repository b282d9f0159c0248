import { type Env, EnvError, readEnv } from '#src/env'

/** The environment; ends the process with what is wrong with it. */
export function readEnvOrExit(): Env {
  try {
    return readEnv()
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return exitWith(`Nocturne cannot start with this environment:\n${error.message}`)
  }
}

export function exitWith(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
