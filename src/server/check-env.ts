import { readEnvOrExit } from '#src/server/read-env'

// Runs before the build of `bun run start`, so that nobody waits for the build only to learn that a variable is wrong.
readEnvOrExit()
