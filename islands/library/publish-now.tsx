import { Button } from '#src/ui/button'

/** Button in an item's form when its time of publication has passed. `onPublish` receives the form. */
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
