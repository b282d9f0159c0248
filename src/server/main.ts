import { serve } from '#src/server/serve'

await serve()
