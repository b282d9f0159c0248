import { expect, test } from 'bun:test'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Field } from '#src/ui/field'
import { FormFields } from '#src/ui/form-fields'
import { Select } from '#src/ui/select'
import { TextArea } from '#src/ui/text-area'

const message = 'This is too long.'
const draw = (field: string | null, action?: ReactNode) =>
  renderToStaticMarkup(
    <FormFields problem={{ field, message }} action={action}>
      <Field label="Title" name="title" />
      <TextArea label="Text" name="content" />
      <Select label="Voice" name="voice" choices={['Rachel']} />
    </FormFields>,
  )
const timesSaid = (markup: string) => markup.split(message).length - 1

test.each(['title', 'content', 'voice'])('an error is shown once, at its field %s', (field) => {
  const markup = draw(field)
  expect(timesSaid(markup)).toBe(1)
  expect(markup).toMatch(
    new RegExp(`name="${field}"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="${field}"`),
  )
  expect(markup).not.toContain('role="alert"')
})

test.each([
  ['no field', null],
  ['a field that is not in the form', 'tags'],
])('an error of %s is shown once, in a notice', (_, field) => {
  const markup = draw(field)
  expect(timesSaid(markup)).toBe(1)
  expect(markup).toContain('role="alert"')
  expect(markup).not.toContain('aria-invalid')
})

test('an action offered with the error is shown beside a field’s error too', () => {
  const markup = draw('title', <button type="submit">Publish it now</button>)
  expect(markup).toMatch(/role="alert".*Publish it now/)
  expect(markup).toContain('aria-invalid="true"')
})

test.each(['tags[2]', 'tags/2'])('an error of a list entry is shown at the list’s field: %s', (field) => {
  const markup = renderToStaticMarkup(
    <FormFields problem={{ field, message }}>
      <Field label="Tags" name="tags" />
    </FormFields>,
  )
  expect(timesSaid(markup)).toBe(1)
  expect(markup).toContain('aria-invalid="true"')
})
