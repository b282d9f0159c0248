import { expect, test } from 'bun:test'
import { renderToStaticMarkup } from 'react-dom/server'
import { CreateForm } from './create-form'

function markupWith(field: string | null): string {
  const nothing = () => {}
  return renderToStaticMarkup(
    <CreateForm
      kind="audio"
      edited={null}
      writing={{ title: '', content: '', categories: [], narrator: 'rachel' }}
      wordCount={0}
      wordsMax={100}
      problem={{ field, message: 'This is refused.' }}
      hints={[]}
      savedWords={null}
      begin="write"
      isReady={false}
      isSaving={false}
      draftPanel={null}
      side={null}
      onBegin={nothing}
      onPaste={nothing}
      onChange={nothing}
      onSubmit={nothing}
    />,
  )
}

test('an error is shown once, at its field or in a notice if the form has no such field', () => {
  for (const field of ['title', 'content', 'categories/0', 'voice', 'narrate', null])
    expect(markupWith(field).split('This is refused.').length, `times for ${field}`).toBe(2)
})
