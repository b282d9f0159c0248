import { useId } from 'react'
import { keepResults } from '#src/kept'
import { drawCover, type MotifName } from '#src/ui/cover/art'
import type { PaletteName } from '#src/ui/cover/palettes'

export type CoverShape = 'square' | '40' | '56' | '64' | '96' | 'wide' | 'book' | 'tall'

/** Drawing takes a tenth of a millisecond, and a page has fifty: the same covers are shown again and again. */
const keptCover = keepResults<string>(2_000)

/** The picture of a title. Decoration: the title stands beside it. */
export function Cover({
  title,
  shape = 'square',
  motif,
  palette,
}: {
  title: string
  shape?: CoverShape
  motif?: MotifName
  palette?: PaletteName
}) {
  return (
    <span className={shape === 'square' ? 'cover' : `cover cover-${shape}`}>
      <CoverArt title={title} motif={motif} palette={palette} />
    </span>
  )
}

/** The picture alone, where something else gives it its frame. */
export function CoverArt({
  title,
  motif,
  palette,
}: {
  title: string
  motif?: MotifName
  palette?: PaletteName
}) {
  const id = useId().replace(/\W/g, '')
  return (
    <svg
      className="cover-art"
      viewBox="0 0 480 480"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: drawn from numbers, nothing of the title is in it
      dangerouslySetInnerHTML={{
        __html: keptCover(`${title}\n${id}\n${motif}\n${palette}`, () =>
          drawCover(title, { id, motif, palette }),
        ),
      }}
    />
  )
}
