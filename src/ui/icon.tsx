import type lucide from '@iconify-json/lucide/icons.json'

/** 20 px; `sm-` 16 px and `lg-` 28 px, by `zoom`; `solid-` filled; `pressed-` filled and outlined, for what is switched on. */
export type Look = '' | 'sm-' | 'lg-' | 'solid-' | 'sm-solid-' | 'pressed-'

/** An icon of the Lucide set in a look. The stylesheet has what stands in the source in full: write it out. */
export type IconName = `i-lucide-${Look}${keyof typeof lucide.icons}`

/** An icon in the colour of its words. It is decoration: the words stand beside it or on the button. */
export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  return <span className={`icon ${name} ${className}`.trimEnd()} aria-hidden="true" />
}
