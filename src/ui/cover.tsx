import { coverPath } from '#src/text/cover-seed'

export type CoverShape = 'square' | '40' | '56' | '96' | 'wide' | 'book' | 'tall'

/** The picture of a title. It is decorative, since the title is beside it. */
export function Cover({ title, shape = 'square' }: { title: string; shape?: CoverShape }) {
  return (
    <span className={shape === 'square' ? 'cover' : `cover cover-${shape}`}>
      <CoverArt title={title} />
    </span>
  )
}

/** The picture alone, for an element that frames it itself. */
export function CoverArt({ title }: { title: string }) {
  return (
    <img
      className="cover-art"
      src={coverPath(title)}
      alt=""
      width={480}
      height={480}
      loading="lazy"
      decoding="async"
    />
  )
}
