import type { FormEvent } from 'react'
import { IslandTime } from '#islands/site/local-time'
import { Button } from '#src/ui/button'
import { SettingSwitch } from '#src/ui/switch'
import { urls } from '#src/urls'
import { newsWords } from './rules'
import type { PushDevice } from './schema'

/** The state of notifications in this browser; `unknown` until the browser has answered. */
export type PushSwitchState =
  | 'unknown'
  | 'off'
  | 'on'
  | 'blocked'
  | 'unable'
  | 'not-installed'
  | 'insecure'
  | 'switched-off'

const stateWords: Record<PushSwitchState, string> = {
  unknown: '',
  off: 'Off in this browser.',
  on: 'On in this browser.',
  blocked:
    'Your browser does not allow notifications for this site. Allow them in its settings, then try again.',
  unable: 'This browser does not support notifications, or not in a private window.',
  'not-installed':
    'On an iPhone or iPad, add this site to your home screen, open it from there, and turn this on.',
  insecure: 'Notifications need an address that begins with https.',
  'switched-off': 'Notifications are switched off on this site.',
}

/** Whether pressing the switch can change the state. */
function isPressable(switchState: PushSwitchState): boolean {
  return switchState === 'off' || switchState === 'on' || switchState === 'blocked'
}

/** Rows of notifications: the switch of this browser, a test, and every subscribed browser. */
export function PushRows({
  switchState,
  devices,
  onToggle,
  onTry,
  onRemove,
}: {
  switchState: PushSwitchState
  devices: readonly PushDevice[]
  onToggle: () => void
  onTry: () => void
  onRemove: (device: PushDevice, event: FormEvent<HTMLFormElement>) => void
}) {
  return (
    <>
      <SettingSwitch
        title="Push"
        words={`When a narration of yours is ready, something you shared is reviewed, or an evening of a challenge begins. Your screen says “${newsWords}” and nothing more. Nothing is sent between 22:00 and 8:00.`}
        checked={switchState === 'on'}
        disabled={!isPressable(switchState)}
        onChange={onToggle}
      />
      <noscript>
        <p className="hint">Push needs JavaScript: a script asks your browser.</p>
      </noscript>
      <p className="hint" role="status">
        {stateWords[switchState]}
      </p>
      {switchState === 'on' && (
        <div className="btn-row setting-form">
          <Button size="sm" onClick={onTry}>
            Send one to try
          </Button>
        </div>
      )}
      {devices.map((each) => (
        <form
          key={each.id}
          className="setting"
          action={urls.settingsForm('remove-device')}
          method="post"
          onSubmit={(event) => onRemove(each, event)}
        >
          <input type="hidden" name="id" value={each.id} />
          <span>
            <b className="label">{each.device}</b>
            <span className="hint">
              {each.isCurrent ? 'This browser' : each.lastSuccessAt ? 'Last reached ' : 'Since '}
              {!each.isCurrent && <IslandTime at={each.lastSuccessAt ?? each.createdAt} />}
            </span>
          </span>
          <Button size="sm" type="submit" aria-label={`Remove ${each.device}`}>
            Remove
          </Button>
        </form>
      ))}
    </>
  )
}
