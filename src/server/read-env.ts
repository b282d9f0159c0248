import { type Env, EnvError, readEnv } from '#src/env'

/** Reads the environment. If it is invalid, ends the process with the reason. */
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
