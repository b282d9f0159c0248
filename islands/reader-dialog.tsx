import { useEffect } from 'react'
import { startReaderDialog } from '#islands/reading/start-reader-dialog'

/** On a list's page: its stories open over it. Without this island each link opens the story's own page. */
export default function ReaderDialog() {
  useEffect(startReaderDialog, [])
  return null
}
