import { expect, test } from 'bun:test'
import { join } from 'node:path'
import packageJson from '../package.json'

test('the labels of the container say what the package says', async () => {
  const dockerfile = await Bun.file(join(import.meta.dir, '../Dockerfile')).text()
  const labels = Object.fromEntries(
    [...dockerfile.matchAll(/org\.opencontainers\.image\.([\w.]+)="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  expect(labels).toMatchObject({
    title: 'Nocturne',
    description: packageJson.description,
    licenses: packageJson.license,
    version: packageJson.version,
    revision: '$REVISION',
    created: '$CREATED',
  })
  expect(dockerfile).toContain(`FROM ${labels['base.name']?.replace('docker.io/', '')}\n`)
})
