import { Button } from '#src/ui/button'

/** What an item's form offers where its time to appear has passed. `onPublish` gets the form. */
export function PublishNow({ onPublish }: { onPublish: (form: HTMLFormElement) => void }) {
  return (
    <Button
      size="sm"
      onClick={({ currentTarget: { form } }) => {
        if (form) onPublish(form)
      }}
    >
      Publish it now
    </Button>
  )
}
