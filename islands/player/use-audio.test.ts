import { expect, test } from 'bun:test'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { useAudio } from './use-audio'

function Anything() {
  useAudio()
  return null
}

test('useAudio throws outside its provider', () => {
  expect(() => renderToString(createElement(Anything))).toThrow(
    'useAudio must be used within an AudioProvider',
  )
})
