import { useHydrated } from '#islands/use-hydrated'
import { timeWords } from '#src/ui/local-time'

/** A moment inside of an island: in UTC from the server, in the viewer's zone once it is alive. */
export function Moment({ at }: { at: string }) {
  const isHydrated = useHydrated()
  return (
    <time dateTime={at}>
      {isHydrated ? timeWords(new Date(at)) : `${timeWords(new Date(at), 'UTC')} UTC`}
    </time>
  )
}
