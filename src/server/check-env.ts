import { readEnvOrExit } from '#src/server/read-env'

// Before the build of `bun run start`: a wrong variable is not worth waiting for it.
readEnvOrExit()
