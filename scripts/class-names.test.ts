import { expect, test } from 'bun:test'
import { findClassNames } from '#scripts/class-names'

const namesIn = (source: string) => [...findClassNames(source).names].sort()

test('class names are read from class attributes, and not from comments, other props or text', () => {
  const source = `
    // Tell me: the h2 is hidden in a grid.
    const label = 'block me'
    return <p className="meta num" title="my grid" data-look='hidden'>Tell me of h2</p>`
  expect(namesIn(source)).toEqual(['meta', 'num'])
})

test('class names are read from strings in a class expression, but not from compared values', () => {
  const source = `<b className={kind === 'info' ? 'notice' : \`notice \${isWide ? 'is-wide' : ''} notice-\${kind}\`}>{'grid'}</b>`
  expect(namesIn(source)).toEqual(['is-wide', 'notice'])
  expect([...findClassNames(source).beginnings]).toEqual(['notice-'])
})

test('class names are read from className assignments, classList calls, tables of classes and HTML strings', () => {
  const source = `
    Object.assign(element, { className: 'consent notice', title: 'grid' })
    element.classList.add('is-lit')
    const markClasses = { softer: 'soft' } as const
    const row = '<div class="table-wrap" role="region">'`
  expect(namesIn(source)).toEqual(['consent', 'is-lit', 'notice', 'soft', 'table-wrap'])
})
