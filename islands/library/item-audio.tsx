import { type ChangeEvent, useRef, useState } from 'react'
import { AskedButton, type Question } from '#islands/operator/asked-button'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { orToast } from '#islands/runtime/or-toast'
import { sendFile } from '#islands/runtime/send-file'
import { consoleUrls } from '#src/console-urls'
import type { PremiumItem } from '#src/story/draft-schema'
import { type Voice, voices } from '#src/story/rules'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'

type AudioProps = { item: PremiumItem; onChanged: (item: PremiumItem) => void }

/** The audio of an item in each voice: the linked file, playback, upload, narration. */
export function ItemAudio(props: AudioProps) {
  return (
    <fieldset className="stack-sm">
      <legend className="label">Audio</legend>
      <p>
        <a href={consoleUrls.studio(props.item.id)}>Script and narration, side by side</a>
      </p>
      {voices.map((voice) => (
        <VoiceAudio key={voice} voice={voice} {...props} />
      ))}
    </fieldset>
  )
}

type Replacement = 'narration' | 'file'

const replaceQuestion = (voice: Voice, by: Replacement): Question => ({
  id: `replace-${voice}-${by}`,
  title: 'Replace this audio?',
  words: `Everybody hears the ${by} instead, as soon as it is ${by === 'file' ? 'sent' : 'ready'}. The current audio stays in this item’s studio and can be used again.`,
  yes: by === 'file' ? 'Choose a File' : 'Narrate',
})

function VoiceAudio({ item, voice, onChanged }: AudioProps & { voice: Voice }) {
  const path = { id: item.id }
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
    await orToast(
      async () => {
        const given = { path, form, onProgress: setShare }
        await sendFile('POST /api/premium-content/:id/upload-audio', given)
        onChanged(await operatorApi('GET /api/premium-content/:id', { path }))
        emit('nocturne:toast', { kind: 'good', title: 'Audio uploaded', description: file.name })
      },
      { title: 'Audio upload failed', otherwise: 'Please try again.' },
    )
    setShare(null)
  }

  const narrate = () =>
    orToast(
      async () => {
        await operatorApi('POST /api/stories/:id/narrate', { path, body: { voice } })
        emit('nocturne:toast', {
          kind: 'good',
          title: 'Narration requested',
          description: 'It runs in the background; the card says when it is ready.',
        })
      },
      { title: 'Audio generation failed', otherwise: 'Failed to generate audio' },
    )

  return (
    <div className="dropzone">
      <Icon name="i-lucide-audio-lines" />
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
              <Icon name="i-lucide-sm-solid-play" />
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
          <AskedButton
            size="sm"
            isBusy={share !== null}
            question={src ? replaceQuestion(voice, 'file') : null}
            onPress={() => input.current?.click()}
          >
            <Icon name="i-lucide-sm-upload" />
            Upload audio
          </AskedButton>
          <AskedButton
            kind="ghost"
            size="sm"
            question={src ? replaceQuestion(voice, 'narration') : null}
            onPress={narrate}
          >
            <Icon name="i-lucide-sm-refresh-cw" />
            Narrate now
          </AskedButton>
        </div>
      </div>
    </div>
  )
}
