import { type SubmitEvent, useState } from 'react'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { FlagRow } from '#src/feature-flag/flag-row'
import { type FlagName, flagWords } from '#src/feature-flag/rules'
import type { ListedFlag } from '#src/feature-flag/schema'
import { readFlagValue } from '#src/feature-flag/value-rules'

/** The feature flags, each with the operator who last changed it. */
export default function FeatureFlags(props: { flags: ListedFlag[] }) {
  const [flags, setFlags] = useState(props.flags)
  const [failure, setFailure] = useState<{ name: FlagName; message: string } | null>(null)

  const change = async (name: FlagName, event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent
    const value = readFlagValue(new FormData(event.currentTarget, submitter))
    setFailure(null)
    try {
      setFlags(await operatorApi('PATCH /api/feature-flags', { body: { [name]: value } }))
      emit('nocturne:toast', { title: 'Setting saved', description: flagWords[name].title })
    } catch (error) {
      setFailure({ name, message: problemOf(error, 'Please try again').message })
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
