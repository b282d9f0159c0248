import * as ts from '@typescript/typescript6'
import { plugin } from 'bun'

// Both generators use the API of TypeScript 6, which version 7 does not have.
plugin({
  name: 'typescript 6',
  setup(build) {
    build.module('typescript', () => ({ exports: { ...ts, default: ts }, loader: 'object' }))
  },
})
const { default: printTypes, astToString } = await import('openapi-typescript')
const { createClient } = await import('@hey-api/openapi-ts')

const document = await Bun.file('openapi.json').json()
await Bun.write('generated/openapi-typescript.ts', astToString(await printTypes(document)))
await createClient({ input: document, output: 'generated/hey-api', logs: { level: 'silent' } })
