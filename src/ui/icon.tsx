import type lucide from '@iconify-json/lucide/icons.json'

/**
 * 20 px by default; `sm-` 16 px and `lg-` 28 px, by `zoom`; `solid-` filled; `pressed-` filled and outlined, if
 * switched on.
 */
export type Look = '' | 'sm-' | 'lg-' | 'solid-' | 'sm-solid-' | 'pressed-'

/**
 * An icon of the Lucide set in a look. The build finds icons by their full names in the source: do not assemble them.
 */
export type IconName = `i-lucide-${Look}${keyof typeof lucide.icons}`

/** An icon in the colour of its text. It is decorative: the text is beside it or on the button. */
export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  return <span className={`icon ${name} ${className}`.trimEnd()} aria-hidden="true" />
}
