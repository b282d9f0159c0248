import { useState } from 'react'
import {
  type NotesChoice,
  notesChoices,
  readNotesChoice,
  storeNotesChoice,
} from '#islands/player/notes-before'
import { PlainSelect } from '#src/ui/select'

const words: Record<NotesChoice, string> = {
  never: 'Beside the item only',
  first: 'Before the first play',
  always: 'Before every play',
}

/** When content notes are shown before playback, in this browser. */
export function NotesSetting() {
  const [choice, setChoice] = useState(readNotesChoice)
  return (
    <div className="setting">
      <span>
        <b className="label">Content notes</b>
        <span className="hint">Shown beside each item, closed at first. In this browser.</span>
      </span>
      <PlainSelect
        label="Offer content notes"
        choices={notesChoices.map((value) => ({ value, label: words[value] }))}
        value={choice}
        onChange={({ target }) => {
          const chosen = notesChoices.find((each) => each === target.value) ?? 'never'
          setChoice(chosen)
          storeNotesChoice(chosen)
        }}
      />
    </div>
  )
}
