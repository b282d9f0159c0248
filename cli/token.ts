import { defineCommand } from 'citty'
import { jsonFlag, print } from '#cli/output'
import { readEnv } from '#src/env'
import { Refusal } from '#src/refusal'
import { loadSecrets, rotateOperatorToken } from '#src/secrets'

const show = defineCommand({
  meta: { name: 'show', description: "Prints the operator's token. Example: nocturne token show" },
  args: jsonFlag,
  run({ args }) {
    const secrets = loadSecrets(readEnv())
    if (secrets.operatorTokenFile === null)
      return print(args.json, { source: 'ADMIN_TOKEN' }, () => ['The token is set by ADMIN_TOKEN.'])
    print(args.json, { source: secrets.operatorTokenFile, token: secrets.operatorToken }, () => [
      secrets.operatorToken,
    ])
  },
})

const rotate = defineCommand({
  meta: {
    name: 'rotate',
    description: 'Makes a new token; the old one opens nothing from then on. Example: nocturne token rotate',
  },
  args: jsonFlag,
  run({ args }) {
    const env = readEnv()
    if (env.adminToken)
      throw new Refusal(
        'conflict',
        'ADMIN_TOKEN sets the token. Change it there, or unset it to have one generated.',
      )
    loadSecrets(env)
    const token = rotateOperatorToken(env.dataDir)
    print(args.json, { token }, () => [token])
  },
})

export default defineCommand({
  meta: { name: 'token', description: "The operator's token: show, rotate" },
  subCommands: { show, rotate },
})
