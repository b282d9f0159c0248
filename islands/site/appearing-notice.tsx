import { type ReactNode, useEffect } from 'react'
import { announce } from '#islands/site/show-dialog'
import { Notice, type NoticeLook } from '#src/ui/notice'

/**
 * A notice that appears while the page is open. The page's announcer says `words`, because some screen readers do not
 * announce a status that is inserted together with its text. A bad notice is an alert, which all of them announce.
 * `children` may show more than `words`.
 */
export function AppearingNotice({
  words,
  children = words,
  ...look
}: NoticeLook & { words: string; children?: ReactNode }) {
  const { kind } = look
  useEffect(() => {
    if (kind !== 'bad') announce(words)
  }, [kind, words])
  return <Notice {...look}>{children}</Notice>
}
