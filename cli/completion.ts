import { type CommandDef, defineCommand } from 'citty'
import { choose } from '#cli/choose'
import { resolve } from '#cli/find-command'
import { listCommands } from '#cli/help'

/** What a shell is told: it asks `nocturne completion words` at each Tab, so what it knows is never older. */
const scripts = {
  bash: `_nocturne() {
  local IFS=$'\\n'
  COMPREPLY=($(nocturne completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _nocturne nocturne
`,
  zsh: `#compdef nocturne
_nocturne() {
  local -a found
  found=("\${(@f)$(nocturne completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null | cut -f 1)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _nocturne nocturne
`,
  fish: `complete -c nocturne -a '(nocturne completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

/** nocturne completion; `findMain` gives the command of all commands, which this one is part of. */
export const completionOf = (findMain: () => CommandDef) =>
  defineCommand({
    meta: {
      name: 'completion',
      description:
        'Prints what makes a shell complete commands and options: bash, zsh, fish. Examples: nocturne completion bash >> ~/.bashrc · nocturne completion zsh >> ~/.zshrc · nocturne completion fish > ~/.config/fish/completions/nocturne.fish',
    },
    args: {
      shell: {
        type: 'positional',
        description: `${Object.keys(scripts).join(', ')}; a shell asks with "words"`,
      },
      'words…': { type: 'positional', description: 'The words typed so far', required: false },
    },
    run: async ({ args }) => {
      const asked = choose('shell', ['bash', 'zsh', 'fish', 'words'] as const, String(args.shell))
      const lines =
        asked === 'words'
          ? await listCompletions(findMain(), args._.slice(1))
          : scripts[asked].split(/(?<=\n)/)
      process.stdout.write(lines.join(''))
    },
  })

/** What the last word can become, a line each: the word, a tab, what it means. */
export async function listCompletions(main: CommandDef, typed: readonly string[]): Promise<string[]> {
  const begun = typed.at(-1) ?? ''
  let command = main
  for (const word of typed.slice(0, -1)) {
    const all = (await resolve(command.subCommands)) ?? {}
    const next = Object.hasOwn(all, word) ? all[word] : undefined
    if (next) command = await resolve(next)
  }
  const options = Object.entries((await resolve(command.args)) ?? {}).flatMap(
    ([name, { type, description = '' }]) =>
      type === 'positional' ? [] : [{ name: `--${name}`, text: description }],
  )
  // Where options are not begun, the shell goes on with the names of files.
  const found = begun.startsWith('-') ? options : await listCommands(command)
  return found.flatMap(({ name, text }) => (name.startsWith(begun) ? [`${name}\t${text}\n`] : []))
}
