import { expect, test } from 'bun:test'
import { makeSbom } from '#scripts/sbom'
import packageJson from '../package.json'

const { components } = await makeSbom()
const nameOf = ({ group, name }: (typeof components)[number]) => (group ? `${group}/${name}` : name)
const refs = components.map((each) => each['bom-ref'])

test('the SBOM contains every production dependency once, and no development dependency', () => {
  expect(refs).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)))
  expect(new Set(refs).size).toBe(refs.length)
  const ofTests = ['playwright-core', 'typescript', 'fast-check', '@biomejs/biome']
  expect(Object.keys(packageJson.devDependencies)).toEqual(expect.arrayContaining(ofTests))
  expect(refs.filter((ref) => ofTests.includes(ref))).toEqual([])
})

test('every SBOM component has its version, its hash and its licence', () => {
  const react = components.find((each) => nameOf(each) === 'react')
  expect(react).toEqual({
    type: 'library',
    'bom-ref': 'react',
    name: 'react',
    version: packageJson.dependencies.react,
    purl: `pkg:npm/react@${packageJson.dependencies.react}`,
    hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    licenses: [{ license: { id: 'MIT' } }],
  })
  expect(components.find((each) => nameOf(each) === 'typebox')).toBeUndefined()
  for (const { purl, hashes } of components) {
    expect(purl).toMatch(/^pkg:npm\/(%40[^/]+\/)?[^/@]+@\d+\.\d+\.\d+/)
    expect([purl, hashes.length]).toEqual([purl, 1])
  }
})

test('every SBOM component that is installed has a known licence', () => {
  // Packages for other platforms are not installed.
  const without = components.filter(({ licenses }) => !licenses).map((each) => each['bom-ref'])
  expect(without.filter((ref) => !/(darwin|linux|win32|windows|android)/.test(ref))).toEqual([])
})
