import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'

export function PasskeyButton({ isBusy, onPress }: { isBusy: boolean; onPress: () => void }) {
  return (
    <Button isBlock isBusy={isBusy} onClick={onPress}>
      <Icon name="i-lucide-sm-key-round" />
      Use a passkey
    </Button>
  )
}
