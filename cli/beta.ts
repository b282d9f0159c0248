import { defineCommand } from 'citty'
import { jsonFlag, print, printFile, printNote, table } from '#cli/output'
import { fileNamed } from '#cli/value-hints'
import { withServices } from '#cli/with-services'
import { listBetaSignups } from '#src/beta/sign-up'
import { writeWhole } from '#src/storage/whole-file'
import { toCsv } from '#src/text/csv'
import { pluralize } from '#src/text/pluralize'

const list = defineCommand({
  meta: { name: 'list', description: 'Lists the beta signups. Example: nocturne beta list --json' },
  args: jsonFlag,
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const signups = await listBetaSignups(db)
      print(args, signups, () => [
        ...table(signups.map((each) => [each.email, each.source, each.createdAt.toISOString()])),
        pluralize(signups.length, 'signup'),
      ])
    }),
})

const exportCsv = defineCommand({
  meta: {
    name: 'export',
    description: 'Writes the signups as CSV. Example: nocturne beta export --out signups.csv',
  },
  args: { out: { type: 'string', ...fileNamed('A file, instead of standard output') } },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const signups = await listBetaSignups(db)
      const csv = toCsv([
        ['Email', 'Source', 'Signup Date'],
        ...signups.map((each) => [each.email, each.source, each.createdAt.toISOString()]),
      ])
      if (args.out) await writeWhole(args.out, [Buffer.from(csv)])
      else await printFile(csv)
      printNote(`Exported ${pluralize(signups.length, 'signup')}`)
    }),
})

export default defineCommand({
  meta: { name: 'beta', description: 'Beta signups: list, export' },
  subCommands: { list, export: exportCsv },
})
