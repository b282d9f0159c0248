import { defineCommand } from 'citty'
import { jsonFlag, print } from '#cli/output'
import { operatorName, withServices } from '#cli/with-services'
import { sendTestMail } from '#src/setup/send-test-mail'

const test = defineCommand({
  meta: {
    name: 'test',
    description:
      'Queues a test mail, which the running server sends; see nocturne jobs list for the outcome. Example: nocturne mail test ada@example.com',
  },
  args: { to: { type: 'positional', description: 'An address of your own', required: true }, ...jsonFlag },
  run: ({ args }) =>
    withServices(async (services) => {
      await sendTestMail(services, args.to, operatorName())
      print(args, { success: true }, () => [`A test mail to ${args.to} is on its way.`])
    }),
})

export default defineCommand({
  meta: { name: 'mail', description: 'Mail: test' },
  subCommands: { test },
})
