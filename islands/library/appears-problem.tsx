import type { Problem } from '#islands/runtime/api-error'
import { Button } from '#src/ui/button'
import { Notice } from '#src/ui/notice'

/** Why an item's form was refused. A time that has passed is asked about: `onPublish` gets the form. */
export function AppearsProblem({
  problem,
  onPublish,
}: {
  problem: Problem
  onPublish: (form: HTMLFormElement) => void
}) {
  if (!problem.hasPassed) return <Notice kind="bad">{problem.message}</Notice>
  return (
    <Notice
      kind="bad"
      action={
        <Button
          size="sm"
          onClick={({ currentTarget: { form } }) => {
            if (form) onPublish(form)
          }}
        >
          Publish it now
        </Button>
      }
    >
      {problem.message}
    </Notice>
  )
}
