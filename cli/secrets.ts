import { defineCommand } from 'citty'
import { confirm, yesFlag } from '#cli/confirm'
import { jsonFlag, print, printNote } from '#cli/output'
import { operatorName, withOwnSecrets } from '#cli/with-services'
import { acceptSecrets, listOtherSecrets } from '#src/operator/secret-fingerprints'

const accept = defineCommand({
  meta: {
    name: 'accept',
    description:
      "Makes this environment's secrets the library's, if they were changed on purpose; every instance then needs them. Example: nocturne secrets accept --yes",
  },
  args: { ...yesFlag, ...jsonFlag },
  run: ({ args }) =>
    withOwnSecrets(async ({ db, secrets }) => {
      const others = await listOtherSecrets(db, secrets)
      for (const { variable, lost } of others)
        printNote(`${variable} is not the one of the library: ${lost}.`)
      if (others.length > 0 && !args.yes && !(await confirm('Go on with the new ones?')))
        return printNote('Nothing was changed.')
      const accepted = await acceptSecrets(db, secrets, operatorName())
      print(args, { accepted }, () => [
        accepted.length > 0
          ? `${accepted.join(', ')} accepted. Restart every instance with it.`
          : "These are the library's secrets already.",
      ])
    }),
})

export default defineCommand({
  meta: { name: 'secrets', description: 'The secrets that all instances share: accept' },
  subCommands: { accept },
})
