import { type FormEvent, useState } from 'react'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { FlagRow } from '#src/flag/flag-row'
import { readFlagValue } from '#src/flag/read-value'
import { type FlagName, flagWords } from '#src/flag/rules'
import type { ListedFlag } from '#src/flag/schema'
import { urls } from '#src/urls'

/** What operators switch while the program runs, each with who changed it. */
export default function FeatureFlags(props: { flags: ListedFlag[] }) {
  const [flags, setFlags] = useState(props.flags)
  const [failure, setFailure] = useState<{ name: FlagName; message: string } | null>(null)

  const change = async (name: FlagName, event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const value = readFlagValue(new FormData(event.currentTarget, submitter))
    setFailure(null)
    try {
      const answer = await operatorCall(urls.apiFlags(), { method: 'PATCH', body: { [name]: value } })
      setFlags(answer as ListedFlag[])
      emit('nocturne:toast', { title: 'Setting saved', description: flagWords[name].title })
    } catch (error) {
      setFailure({ name, message: failureWords(error, 'Please try again') })
    }
  }

  return flags.map((flag) => (
    <FlagRow
      key={flag.name}
      flag={flag}
      error={failure?.name === flag.name ? failure.message : undefined}
      onSubmit={(event) => void change(flag.name, event)}
    />
  ))
}
