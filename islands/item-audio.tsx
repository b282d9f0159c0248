import { AudioLines, Play, RefreshCw, Upload } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { sendFile } from '#islands/send-file'
import type { PremiumItem } from '#src/story/draft-schema'
import { type Voice, voices } from '#src/story/rules'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'

type AudioProps = { item: PremiumItem; onChanged: (item: PremiumItem) => void }

/** The audio of an item in each voice: what is linked, hearing it, uploading, having it narrated. */
export function ItemAudio(props: AudioProps) {
  return (
    <fieldset className="stack-sm">
      <legend className="label">Audio</legend>
      <p>
        <a href={urls.studio(props.item.id)}>Script and narration, side by side</a>
      </p>
      {voices.map((voice) => (
        <VoiceAudio key={voice} voice={voice} {...props} />
      ))}
    </fieldset>
  )
}

function VoiceAudio({ item, voice, onChanged }: AudioProps & { voice: Voice }) {
  const input = useRef<HTMLInputElement>(null)
  const [share, setShare] = useState<number | null>(null)
  const [isHeard, setHeard] = useState(false)
  const src = voice === 'female' ? item.linkedAudioFemale : item.linkedAudioMale

  const upload = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (!file) return
    const form = new FormData()
    form.append('voice', voice)
    form.append('audioFile', file)
    setShare(0)
    try {
      await sendFile(urls.apiPremiumAudioUpload(item.id), form, setShare)
      onChanged((await operatorCall(urls.apiPremiumItem(item.id))) as PremiumItem)
      emit('nocturne:toast', { kind: 'good', title: 'Audio uploaded', description: file.name })
    } catch (error) {
      const description = failureWords(error, 'Please try again.')
      emit('nocturne:toast', { kind: 'bad', title: 'Audio upload failed', description })
    } finally {
      setShare(null)
    }
  }

  const narrate = async () => {
    try {
      await operatorCall(urls.apiNarrate(item.id), { method: 'POST', body: { voice } })
      emit('nocturne:toast', {
        kind: 'good',
        title: 'Narration has been asked for',
        description: 'It runs in the background; the card says when it is ready.',
      })
    } catch (error) {
      const description = failureWords(error, 'Failed to generate audio')
      emit('nocturne:toast', { kind: 'bad', title: 'Audio generation failed', description })
    }
  }

  return (
    <div className="dropzone">
      <Icon of={AudioLines} />
      <div className="stack-sm">
        <p>
          <b>{src ? `Audio linked: ${voice}` : `No audio: ${voice}`}</b>
        </p>
        {isHeard && src && (
          // biome-ignore lint/a11y/useMediaCaption: the text of the item is what is spoken
          <audio src={src} controls autoPlay aria-label={`${item.title}, ${voice}`} />
        )}
        {share !== null && (
          <progress
            className="meter"
            value={share}
            max={1}
            aria-label={`Uploading ${Math.round(share * 100)} %`}
          />
        )}
        <div className="btn-row">
          {src && (
            <Button size="sm" onClick={() => setHeard(true)}>
              <Icon of={Play} size="sm" isSolid />
              Preview
            </Button>
          )}
          <input
            ref={input}
            type="file"
            accept=".mp3,.wav,.m4a,audio/*"
            hidden
            onChange={upload}
            aria-label={`Audio in the ${voice} voice`}
          />
          <Button size="sm" disabled={share !== null} onClick={() => input.current?.click()}>
            <Icon of={Upload} size="sm" />
            Upload audio
          </Button>
          <Button kind="ghost" size="sm" onClick={narrate}>
            <Icon of={RefreshCw} size="sm" />
            Narrate now
          </Button>
        </div>
      </div>
    </div>
  )
}
