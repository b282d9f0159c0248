import { serve } from '#src/serve'

await serve()
